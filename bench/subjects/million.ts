import { MISTYPED_SEARCHES, MIXED_SEARCHES } from '../lib/library-data.ts'
import { makeLibrary, signIn } from '../lib/library.ts'
import { type Load, type Throughput, startLoadGenerator } from '../lib/load.ts'
import type { Scratch } from '../lib/scratch.ts'
import { startProductProcess } from '../lib/server-process.ts'
import { IS_FULL, IS_TRIAL, MANY_MODELS, PAGE_SIZE } from '../lib/settings.ts'
import { figure, note, printTable, verdict } from '../lib/table.ts'

/** The highest acceptable 95th percentile of the response times with one connection, in ms. */
const P95_AIM_MS = 20
/**
 * The length of a measurement window in ms. It is enough for hundreds of responses. Of a dozen responses, the 95th
 * percentile would only be the slowest one.
 */
const WINDOW_MS = IS_TRIAL ? 50 : IS_FULL ? 30_000 : 10_000
const ONE_WORD_WINDOW_MS = IS_TRIAL ? 20 : IS_FULL ? 3_000 : 1_000

const GROUPS: readonly { name: string; searches: readonly string[]; more?: string; isAim?: boolean }[] = [
  { name: 'mixed words, newest 50', searches: MIXED_SEARCHES, isAim: true },
  { name: 'mixed words, the best 50', searches: MIXED_SEARCHES, more: '&sort=relevance', isAim: true },
  { name: 'mistyped words, newest 50', searches: MISTYPED_SEARCHES },
]

/** Measures searches in a library of a million models over HTTP, one request at a time. */
export async function measureMillion(scratch: Scratch): Promise<void> {
  const library = await makeLibrary(scratch, 'million', MANY_MODELS)
  const generate = startLoadGenerator(scratch)
  const product = await startProductProcess(scratch, `${scratch.folder}/product`, {
    DATABASE_URL: library.databaseUrl,
  })
  const headers = { authorization: `Bearer ${(await signIn(product.port)).accessToken}` }
  const pathOf = (words: string, more: string) =>
    `/api/stl-files?limit=${PAGE_SIZE}&search=${encodeURIComponent(words)}${more}`
  const ask = (paths: readonly string[], windowMs: number): Promise<Throughput> => {
    const requests: Load['requests'] = paths.map((path) => ({ method: 'GET', path, headers }))
    return generate({ port: product.port, requests, connections: 1, windowMs })
  }
  const groups: string[][] = []
  const words: string[][] = []
  for (const { name, searches, more = '', isAim = false } of GROUPS) {
    const paths = searches.map((search) => pathOf(search, more))
    // Search once before measuring, so that the data is in memory, as in a library in use.
    await ask(paths, ONE_WORD_WINDOW_MS)
    const { perSecond, p95Ms } = await ask(paths, WINDOW_MS)
    const judgement = isAim ? [`≤ ${P95_AIM_MS} ms`, verdict(p95Ms <= P95_AIM_MS)] : []
    groups.push([name, figure(perSecond), figure(p95Ms), ...judgement])
    for (const [at, search] of searches.entries()) {
      const path = paths[at]!
      const answer = await fetch(`http://127.0.0.1:${product.port}${path}`, { headers })
      await answer.arrayBuffer()
      const { perSecond: rate, p95Ms: slow } = await ask([path], ONE_WORD_WINDOW_MS)
      const isCapped = answer.headers.get('x-total-count-capped') === 'true'
      const count = `${answer.headers.get('x-total-count')}${isCapped ? '+' : ''}`
      words.push([name, search, count, figure(1000 / rate), figure(slow)])
    }
  }
  await product.stop()
  printTable(
    'million: search among 1,000,000 models over HTTP, c1',
    ['what', 'per second', 'p95 ms', 'target', ''],
    groups,
  )
  printTable('million: word by word', ['what', 'words', 'reported count', 'mean ms', 'p95 ms'], words)
  note('Counts are capped, as they are by default. The server writes its log to a file.')
}
