import {
  type Comparison,
  CONCURRENCIES,
  HEAD,
  type Calls,
  asAskedAnew,
  compare,
} from '../lib/compare-http.ts'
import { MEANT_WORDS, MISTYPED_SEARCHES, MIXED_SEARCHES } from '../lib/library-data.ts'
import { makeFloorModels } from '../servers/floor-tables.ts'
import { signIn, useLibrary } from '../lib/library.ts'
import { startLoadGenerator } from '../lib/load.ts'
import type { Scratch } from '../lib/scratch.ts'
import { startBareServer, startProductProcess } from '../lib/server-process.ts'
import { PAGE_SIZE } from '../lib/settings.ts'
import { note, printTable } from '../lib/table.ts'

const encoded = (searches: readonly string[]) => searches.map((words) => encodeURIComponent(words))

/** The searches of the library, as requests to the server and to the baseline. */
const QUESTIONS: readonly { name: string; ours: string[]; floor: string[]; targetP95Ms?: number }[] = [
  {
    name: 'search, newest 50',
    ours: encoded(MIXED_SEARCHES).map((words) => `&search=${words}`),
    floor: encoded(MIXED_SEARCHES).map((words) => `/models-with-words?q=${words}`),
    targetP95Ms: 25,
  },
  {
    name: 'search, the best 50',
    ours: encoded(MIXED_SEARCHES).map((words) => `&search=${words}&sort=relevance`),
    floor: encoded(MIXED_SEARCHES).map((words) => `/models-best-words?q=${words}`),
  },
  {
    name: 'mistyped search, newest 50; the baseline is told which word was meant',
    ours: encoded(MISTYPED_SEARCHES).map((words) => `&search=${words}`),
    floor: encoded(MISTYPED_SEARCHES).map(
      (typed, n) => `/models-like-words?q=${MEANT_WORDS[n]}&typed=${typed}`,
    ),
  },
  {
    name: 'filter that matches one in a thousand',
    ours: ['&material=PEEK', '&material=peek'],
    floor: ['/models-of-material?q=peek'],
  },
  { name: 'by title', ours: ['&sort=title'], floor: ['/models-by-title?'] },
  { name: 'by size', ours: ['&sort=largest'], floor: ['/models-by-size?'] },
]

/** Measures searches of models over HTTP, compared with the baseline. */
export async function measureSearch(scratch: Scratch): Promise<void> {
  const library = await useLibrary(scratch)
  await makeFloorModels(library.database.sql)
  const load = startLoadGenerator(scratch)
  const product = await startProductProcess(scratch, `${scratch.folder}/product`, {
    DATABASE_URL: library.databaseUrl,
  })
  const floor = await startBareServer(scratch, 'floor', { DATABASE_URL: library.databaseUrl })
  const { accessToken, sessionId } = await signIn(product.port)
  const bearer = { authorization: `Bearer ${accessToken}` }
  const session = { authorization: `${sessionId} ${library.accountId}` }
  const get = (port: number, headers: Record<string, string>, paths: readonly string[]): Calls => ({
    port,
    requests: paths.map((path) => ({ method: 'GET', path: `${path}&limit=${PAGE_SIZE}`, headers })),
  })
  const comparisons = QUESTIONS.map(
    ({ ours, floor: floors, ...question }): Comparison => ({
      ...question,
      ours: get(
        product.port,
        bearer,
        asAskedAnew('/api/stl-files?').map((path, n) => path + ours[n % ours.length]!),
      ),
      baselines: [{ name: 'baseline', target: 0.6, calls: get(floor.port, session, floors) }],
    }),
  )
  comparisons.push({
    name: 'tags with counts, the commonest 50',
    ours: get(product.port, bearer, ['/api/stl-tags?']),
    baselines: [{ name: 'baseline: list of 50', calls: get(floor.port, session, ['/models?']) }],
  })
  const rows: string[][] = []
  for (const comparison of comparisons)
    for (const connections of CONCURRENCIES) rows.push(...(await compare(comparison, connections, load)))
  await product.stop()
  await floor.stop()
  printTable('search: requests per second among 100,000 models, and their share of the baseline', HEAD, rows)
  note(
    'Baseline: an inverted index over words or an index in the order, no count. Only the mistyped search of the baseline looks for similar words. Each address is requested only once, so that no response is cached.',
  )
}
