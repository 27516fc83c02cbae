import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { percentile, slopeOf } from '../lib/figures.ts'
import { signIn } from '../lib/library.ts'
import { memoryOf, postgresPssMb } from '../lib/memory.ts'
import type { Scratch } from '../lib/scratch.ts'
import { startProductProcess } from '../lib/server-process.ts'
import { IS_FULL, IS_TRIAL } from '../lib/settings.ts'
import { figure, note, printTable, verdict } from '../lib/table.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DURATION_MS = IS_TRIAL ? 3000 : IS_FULL ? 2 * HOUR_MS : 20 * MINUTE_MS
/**
 * The first part of the run. It fills the caches and the connection pool and starts the workers, so growth in this time
 * does not count.
 */
const WARM_UP_MS = DURATION_MS / 4
const SAMPLE_MS = IS_TRIAL ? 250 : 10_000
/** Pause between two requests, in ms. The load stays low, because the subject is leaks and not speed. */
const PAUSE_MS = 100
/** The highest acceptable growth per hour. */
const AIMS = { memoryMb: 10, handles: 5, latencyMs: 5 }

interface Sample {
  atMs: number
  rssMb: number
  databaseMb: number
  handles: number
  p95Ms: number
}

type Work = () => Promise<void>

/** Sends various requests to one server for a long time, and reports how memory, handles and response times develop. */
export async function measureSoak(scratch: Scratch): Promise<void> {
  const product = await startProductProcess(scratch, `${scratch.folder}/soak`)
  const base = `http://127.0.0.1:${product.port}`
  let token = (await signIn(product.port)).accessToken
  const failures: string[] = []
  let durations: number[] = []

  const send = async (method: string, path: string, body?: object | FormData): Promise<Response> => {
    const startedAt = performance.now()
    const isForm = body instanceof FormData
    const response = await fetch(`${base}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body && !isForm && { 'content-type': 'application/json' }),
      },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    })
    durations.push(performance.now() - startedAt)
    if (!response.ok && failures.length < 20)
      failures.push(`${method} ${path}: ${response.status} ${await response.clone().text()}`)
    return response
  }
  const get = (path: string) => async () => void (await (await send('GET', path)).arrayBuffer())
  const created = async (path: string, body: object | FormData) =>
    ((await (await send('POST', path, body)).json()) as { id: string }).id
  const itemId = await created('/api/inventory', { name: 'Hook', quantity: 10 })

  /** The requests in the order in which they are repeated. As in a shop, most of them are lists. */
  const works: readonly Work[] = [
    get('/api/inventory?limit=50'),
    get('/api/stl-files?limit=50'),
    async () => void (await created(`/api/inventory/${itemId}/adjust`, { delta: 1, reason: 'a count' })),
    get('/api/orders?limit=50'),
    get('/api/inventory?search=hook&limit=50'),
    async () => void (await created('/api/inventory', { name: `Item ${randomUUID()}`, quantity: 1 })),
    get('/api/print-queue?limit=50'),
    get('/api/audit?limit=50'),
    async () =>
      void (await created('/api/orders', {
        customer_name: 'Ada Lovelace',
        items: [{ name: 'Hook', quantity: 1, unit_price: 5 }],
      })),
    get('/api/stats'),
    get('/api/filament?limit=50'),
    get(`/api/inventory/${itemId}/movements?limit=50`),
    // A client that disconnects early from the stream of events.
    async () => {
      const done = new AbortController()
      const stream = await fetch(`${base}/api/events`, {
        headers: { authorization: `Bearer ${token}` },
        signal: done.signal,
      })
      if (!stream.ok) failures.push(`events: ${stream.status}`)
      done.abort()
    },
    async () => void (token = (await signIn(product.port)).accessToken),
  ]
  const samples: Sample[] = []
  const startedAt = performance.now()
  const elapsed = () => performance.now() - startedAt
  const sample = async () => {
    const fds = await readdir(`/proc/${product.pid}/fd`).catch(() => [])
    samples.push({
      atMs: elapsed(),
      rssMb: (await memoryOf(product.pid))?.rssMb ?? 0,
      databaseMb: await postgresPssMb(product.pid),
      handles: fds.length,
      p95Ms: durations.length === 0 ? 0 : percentile(durations, 0.95),
    })
    durations = []
  }
  let requests = 0
  let sampledAt = 0
  for (; elapsed() < DURATION_MS; await wait(PAUSE_MS)) {
    await works[requests % works.length]?.()
    requests += 1
    // A model is measured and drawn, which takes a second, so it is rare.
    if (requests % 150 === 0) await uploadModel(created)
    if (elapsed() - sampledAt < SAMPLE_MS) continue
    sampledAt = elapsed()
    await sample()
  }
  await product.stop()

  const judged = samples.filter(({ atMs }) => atMs >= WARM_UP_MS)
  const row = (name: string, of: (sample: Sample) => number, target?: number): string[] => {
    const slope = slopeOf(judged.map((each) => [each.atMs / HOUR_MS, of(each)]))
    const judgement = target === undefined ? [] : [`≤ ${target}`, verdict(slope <= target)]
    return [name, figure(of(judged[0]!)), figure(of(judged.at(-1)!)), slope.toFixed(1), ...judgement]
  }
  printTable(
    `soak: ${requests.toLocaleString('en-GB')} steps of mixed work in ${(DURATION_MS / MINUTE_MS).toFixed(0)} minutes`,
    ['what', 'after the warm-up', 'at the end', 'growth in an hour', 'target', ''],
    [
      row('memory of the server, RSS, MB', ({ rssMb }) => rssMb, AIMS.memoryMb),
      row('memory of its PostgreSQL, PSS, MB', ({ databaseMb }) => databaseMb),
      row('open files and sockets', ({ handles }) => handles, AIMS.handles),
      row('p95 of the requests, ms', ({ p95Ms }) => p95Ms, AIMS.latencyMs),
    ],
  )
  note(`${failures.length === 0 ? 'No request failed.' : failures.join('\n')}`)
}

/** Uploads a tetrahedron that differs from all others. */
async function uploadModel(created: (path: string, body: FormData) => Promise<string>): Promise<void> {
  const form = new FormData()
  const corners = ['0 0 0', `${1 + Math.random() * 100} 0 0`, '0 10 0', '0 0 10']
  const faces = [
    [0, 2, 1],
    [0, 1, 3],
    [0, 3, 2],
    [1, 2, 3],
  ]
  const facets = faces.map((face) => {
    const vertices = face.map((corner) => `vertex ${corners[corner]}`).join('\n')
    return `facet normal 0 0 0\nouter loop\n${vertices}\nendloop\nendfacet`
  })
  form.append('upload_method', 'file')
  form.append('file', new Blob([`solid ${randomUUID()}\n${facets.join('\n')}\nendsolid\n`]), 'part.stl')
  await created('/api/stl-files/upload', form)
}
