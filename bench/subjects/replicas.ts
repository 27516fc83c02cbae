import { startS3Server, s3Variables } from '../../apps/server/test/servers/s3-server.ts'
import { startEmbeddedPostgres } from '../../apps/server/src/platform/database/embedded/embedded-postgres.ts'
import { asAskedAnew } from '../lib/compare-http.ts'
import { interleave, median, medianRatio } from '../lib/figures.ts'
import type { Request } from '../lib/http-client.ts'
import { signIn } from '../lib/library.ts'
import { startLoadGenerator } from '../lib/load.ts'
import { benchLog } from '../lib/log.ts'
import type { Scratch } from '../lib/scratch.ts'
import { startProductProcess } from '../lib/server-process.ts'
import { PAGE_SIZE, PASSES, WINDOW_MS } from '../lib/settings.ts'
import { figure, note, percent, printTable } from '../lib/table.ts'

const CONNECTIONS = 16
const ITEMS = 60

/** Compares one server with two servers that share the requests, the database, the object store and the machine. */
export async function measureReplicas(scratch: Scratch): Promise<void> {
  const postgres = await startEmbeddedPostgres({ dataDir: `${scratch.folder}/replicas`, log: benchLog })
  scratch.onEnd(() => postgres.stop())
  const { host, port, user, password, database } = postgres.connection
  const store = await startS3Server()
  scratch.onEnd(() => store.close())
  const variables = {
    DATABASE_URL: `postgres://${user}:${password}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`,
    // Both servers have the same root secret and the same public address, as replicas must have.
    PUBLIC_URL: 'http://localhost:3000',
    ROOT_SECRET: 'a root secret for the replicas of the bench, 0123456789abcdef',
    ...s3Variables(store),
  }
  const first = await startProductProcess(scratch, `${scratch.folder}/replica-1`, variables)
  const second = await startProductProcess(scratch, `${scratch.folder}/replica-2`, variables)
  const headers = {
    authorization: `Bearer ${(await signIn(first.port)).accessToken}`,
    'content-type': 'application/json',
  }
  const ids: string[] = []
  for (let item = 0; item < ITEMS; item += 1) {
    const body = JSON.stringify({ name: `Item ${item}`, quantity: 100 })
    const answer = await fetch(`http://127.0.0.1:${first.port}/api/inventory`, {
      method: 'POST',
      headers,
      body,
    })
    if (!answer.ok) throw new Error(`an item was answered with ${answer.status} ${await answer.text()}`)
    ids.push(((await answer.json()) as { id: string }).id)
  }
  const get = (path: string): Request[] =>
    asAskedAnew(`${path}?limit=${PAGE_SIZE}`).map((each) => ({ method: 'GET', path: each, headers }))
  const kinds: readonly { name: string; requests: Request[] }[] = [
    { name: '50 items, not cached', requests: get('/api/inventory') },
    {
      name: 'change of a quantity',
      requests: ids.map((id) => ({
        method: 'POST',
        path: `/api/inventory/${id}/adjust`,
        headers,
        body: JSON.stringify({ delta: 1, reason: 'a count' }),
      })),
    },
  ]
  const [generate, generateMore] = [startLoadGenerator(scratch), startLoadGenerator(scratch)]
  const rows: string[][] = []
  for (const { name, requests } of kinds) {
    const load = (target: number, connections: number) => ({
      port: target,
      requests,
      connections,
      windowMs: WINDOW_MS,
    })
    const results = await interleave(
      [
        { name: 'one', run: () => generate(load(first.port, CONNECTIONS)) },
        {
          name: 'two',
          run: async () => {
            const halves = await Promise.all([
              generate(load(first.port, CONNECTIONS / 2)),
              generateMore(load(second.port, CONNECTIONS / 2)),
            ])
            return {
              perSecond: halves[0].perSecond + halves[1].perSecond,
              p95Ms: Math.max(halves[0].p95Ms, halves[1].p95Ms),
            }
          },
        },
      ],
      PASSES,
    )
    const of = (which: string) => results.get(which)!
    const rates = (which: string) => of(which).map(({ perSecond }) => perSecond)
    const p95 = (which: string) => figure(median(of(which).map(({ p95Ms }) => p95Ms)))
    const ratio = percent(medianRatio(rates('two'), rates('one')))
    rows.push([
      name,
      figure(median(rates('one'))),
      figure(median(rates('two'))),
      ratio,
      p95('one'),
      p95('two'),
    ])
  }
  printTable(
    'replicas: requests per second of one server and of two servers on the same machine, c16',
    ['what', 'one', 'two', 'share', 'p95 of one, ms', 'p95 of two, ms'],
    rows,
  )
  note('Both share the cores with PostgreSQL, the object store and the client.')
}
