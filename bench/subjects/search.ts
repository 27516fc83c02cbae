import { type Comparison, CONCURRENCIES, HEAD, type Target, compare } from '../lib/compare-http.ts'
import { MISTYPED_SEARCHES, MIXED_SEARCHES } from '../lib/library-data.ts'
import { signIn, useLibrary } from '../lib/library.ts'
import { startLoadGenerator } from '../lib/load.ts'
import type { Scratch } from '../lib/scratch.ts'
import { startBareServer, startProductProcess } from '../lib/server-process.ts'
import { PAGE_SIZE } from '../lib/settings.ts'
import { note, printTable } from '../lib/table.ts'

/** The searches of the library, as query strings. */
const QUESTIONS: readonly { name: string; queries: readonly string[]; p95AimMs?: number }[] = [
  { name: 'search, newest 50', queries: searchesOf(MIXED_SEARCHES), p95AimMs: 25 },
  { name: 'search, the best 50', queries: searchesOf(MIXED_SEARCHES, '&sort=relevance') },
  { name: 'mistyped search, newest 50', queries: searchesOf(MISTYPED_SEARCHES) },
  {
    name: 'filter that holds of one in a thousand',
    queries: ['&material=PEEK', '&material=peek&sort=oldest'],
  },
  { name: 'by title, by size', queries: ['&sort=title', '&sort=largest', '&sort=smallest'] },
]

function searchesOf(searches: readonly string[], more = ''): string[] {
  return searches.map((words) => `&search=${encodeURIComponent(words)}${more}`)
}

/** Searches of models over HTTP, compared with a bare server with the same SQL. */
export async function measureSearch(scratch: Scratch): Promise<void> {
  const library = await useLibrary(scratch)
  const load = startLoadGenerator(scratch)
  const product = await startProductProcess(scratch, `${scratch.folder}/product`, {
    DATABASE_URL: library.databaseUrl,
  })
  const ideal = await startBareServer(scratch, 'ideal', { DATABASE_URL: library.databaseUrl })
  const { accessToken, sessionId } = await signIn(product.port)
  const bearer = { authorization: `Bearer ${accessToken}` }
  const session = { authorization: `${sessionId} ${library.accountId}` }
  const ask = (
    port: number,
    path: string,
    headers: Record<string, string>,
    queries: readonly string[],
  ): Target => ({
    port,
    requests: queries.map((query) => ({
      method: 'GET',
      path: `${path}?limit=${PAGE_SIZE}${query}`,
      headers,
    })),
  })
  const comparisons = QUESTIONS.map(
    ({ queries, ...question }): Comparison => ({
      ...question,
      ours: ask(product.port, '/api/stl-files', bearer, queries),
      baselines: [{ name: 'ideal, our SQL', aim: 0.6, target: ask(ideal.port, '/find', session, queries) }],
    }),
  )
  comparisons.push({
    name: 'tags with counts, the commonest 50',
    ours: ask(product.port, '/api/stl-tags', bearer, ['']),
    baselines: [{ name: 'list of 50, ideal', target: ask(ideal.port, '/list', session, ['']) }],
  })
  const rows: string[][] = []
  for (const comparison of comparisons)
    for (const connections of CONCURRENCIES) rows.push(...(await compare(comparison, connections, load)))
  await product.stop()
  await ideal.stop()
  printTable(
    'search: requests per second among 100,000 models, and what they are of the baseline',
    HEAD,
    rows,
  )
  note('Ideal: bare Fastify, one look-up of the session, the same SQL. Counts are capped, in both.')
}
