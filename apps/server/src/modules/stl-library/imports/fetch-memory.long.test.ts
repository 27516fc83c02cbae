import { readFile } from 'node:fs/promises'
import { pipeline, Readable } from 'node:stream'
import type { ModelImport } from '@pegasus/contracts/stl-library/imports'
import { expect, it } from 'vitest'
import {
  bearer,
  makeDataFolder,
  signIn,
  startProduct,
  until,
} from '../../../../test/process/product-process.ts'
import { aRemote } from '../../../../test/servers/remote-server.ts'

const TRIANGLES = 4_000_000
const SIZE_BYTES = 84 + 50 * TRIANGLES
const RECORDS = 20_000
const MAX_GROWTH_MB = 150
const MAX_P95_MS = 300

/** Yields a model of 200 MB, one megabyte at a time. */
function* bigModel(): Generator<Buffer> {
  const header = Buffer.alloc(84)
  header.writeUInt32LE(TRIANGLES, 80)
  yield header
  for (let sent = 0; sent < TRIANGLES; sent += RECORDS) yield Buffer.alloc(50 * RECORDS)
}

const residentMb = async (pid: number): Promise<number> =>
  Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

it('T70 a fetch of 200 MB uses a constant amount of memory, and other requests are still served quickly', {
  timeout: 600_000,
}, async () => {
  const remote = await aRemote((_request, response) => {
    response.writeHead(200, { 'content-length': String(SIZE_BYTES) })
    pipeline(Readable.from(bigModel()), response, () => undefined)
  })
  const dataDir = await makeDataFolder()
  const product = await startProduct(dataDir, { URL_IMPORT_ALLOW: `127.0.0.1:${remote.port}` })
  const { access_token: token } = await signIn(product.url)
  const headers = bearer(token)
  const form = new FormData()
  form.append('upload_method', 'url')
  form.append('url', `${remote.url}/big.stl`)
  const before = await residentMb(product.pid)
  const answer = await fetch(`${product.url}/api/stl-files/upload`, { method: 'POST', headers, body: form })
  const { id } = (await answer.json()) as ModelImport
  let largest = before
  const times: number[] = []
  let last: ModelImport | null = null
  const hasEnded = async () => {
    const startedAt = performance.now()
    last = (await (await fetch(`${product.url}/api/stl-imports/${id}`, { headers })).json()) as ModelImport
    times.push(performance.now() - startedAt)
    // Measure only during the fetch. Another test covers the memory of the analysis.
    if (last.status === 'fetching') largest = Math.max(largest, await residentMb(product.pid))
    return last.status !== 'fetching'
  }
  expect(await until(hasEnded, 300_000, 20)).toBe(true)
  expect(last).toMatchObject({ status: 'done', received_bytes: SIZE_BYTES, error: null })
  const p95 = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0
  console.info(
    `T70 memory grown by ${Math.round(largest - before)} MB of at most ${MAX_GROWTH_MB} during a fetch of 200 MB; others p95 ${Math.round(p95)} ms of ${times.length}`,
  )
  expect(largest - before).toBeLessThan(MAX_GROWTH_MB)
  expect(p95).toBeLessThan(MAX_P95_MS)
})
