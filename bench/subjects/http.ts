import { type Comparison, CONCURRENCIES, HEAD, type Target, compare } from '../lib/compare-http.ts'
import { MIXED_SEARCHES, generateModels } from '../lib/library-data.ts'
import { type Library, signIn, signInRequest, useLibrary } from '../lib/library.ts'
import { startLoadGenerator } from '../lib/load.ts'
import type { Scratch } from '../lib/scratch.ts'
import { startBareServer, startProductProcess } from '../lib/server-process.ts'
import { PAGE_SIZE } from '../lib/settings.ts'
import { note, printTable } from '../lib/table.ts'
import { makeWordIndex } from '../lib/word-index.ts'
import { hashRate } from './http-hashing.ts'

const IDS = 500

/** Compares the running product with bare servers and the same SQL, over HTTP. */
export async function measureHttp(scratch: Scratch): Promise<void> {
  const library = await useLibrary(scratch)
  await makeWordIndex(library.database.sql)
  const load = startLoadGenerator(scratch)
  const product = await startProductProcess(scratch, `${scratch.folder}/product`, {
    DATABASE_URL: library.databaseUrl,
  })
  const ideal = await startBareServer(scratch, 'ideal', { DATABASE_URL: library.databaseUrl })
  const rows: string[][] = []
  for (const comparison of await listComparisons(library, product.port, ideal.port))
    for (const connections of CONCURRENCIES) rows.push(...(await compare(comparison, connections, load)))
  await product.stop()
  await ideal.stop()
  printTable('http: requests per second, and what they are of the baseline', HEAD, rows)
  note(
    'Ideal: bare Fastify, one look-up of the session, the same SQL for the rows. The product runs as it is, with its log written to a file; only the flood limit is raised.',
  )
}

async function listComparisons(library: Library, product: number, ideal: number): Promise<Comparison[]> {
  const { accessToken, sessionId } = await signIn(product)
  const bearer = { authorization: `Bearer ${accessToken}` }
  const session = { authorization: `${sessionId} ${library.accountId}` }
  const get = (port: number, headers: Record<string, string>, paths: string[]): Target => ({
    port,
    requests: paths.map((path) => ({ method: 'GET', path, headers })),
  })
  const ids = [...generateModels(IDS)].map(({ id }) => id)
  const searches = MIXED_SEARCHES.map((words) => `?limit=${PAGE_SIZE}&search=${encodeURIComponent(words)}`)
  const list = `?limit=${PAGE_SIZE}`
  return [
    {
      name: 'list of 50 among 100,000',
      ours: get(product, bearer, [`/api/stl-files${list}`]),
      baselines: [
        { name: 'ideal', aim: 0.6, target: get(ideal, session, [`/list${list}`]) },
        { name: 'ideal that counts as well', target: get(ideal, session, [`/list-and-count${list}`]) },
      ],
    },
    {
      name: 'search, mixed words, newest 50',
      p95AimMs: 25,
      ours: get(
        product,
        bearer,
        searches.map((query) => `/api/stl-files${query}`),
      ),
      baselines: [
        {
          name: 'ideal with a word index',
          aim: 0.6,
          target: get(
            ideal,
            session,
            searches.map((query) => `/list-by-words${query}`),
          ),
        },
        {
          name: 'ideal, our SQL',
          target: get(
            ideal,
            session,
            searches.map((query) => `/list${query}`),
          ),
        },
      ],
    },
    {
      name: 'one by id',
      ours: get(
        product,
        bearer,
        ids.map((id) => `/api/stl-files/${id}`),
      ),
      baselines: [
        {
          name: 'raw: no session at all',
          aim: 0.5,
          target: get(
            ideal,
            session,
            ids.map((id) => `/raw/${id}`),
          ),
        },
        {
          name: 'ideal',
          target: get(
            ideal,
            session,
            ids.map((id) => `/one/${id}`),
          ),
        },
      ],
    },
    {
      name: 'sign-in',
      ours: { port: product, requests: [signInRequest()] },
      baselines: [{ name: 'the bare password hash', aim: 0.9, target: hashRate(library.passwordHash) }],
    },
  ]
}
