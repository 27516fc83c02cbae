import {
  type Comparison,
  CONCURRENCIES,
  HEAD,
  type Calls,
  asAskedAnew,
  compare,
} from '../lib/compare-http.ts'
import { MIXED_SEARCHES, generateModels } from '../lib/library-data.ts'
import { type Library, signIn, signInRequest, useLibrary } from '../lib/library.ts'
import { startLoadGenerator } from '../lib/load.ts'
import type { Scratch } from '../lib/scratch.ts'
import { startBareServer, startProductProcess } from '../lib/server-process.ts'
import { PAGE_SIZE } from '../lib/settings.ts'
import { note, printTable } from '../lib/table.ts'
import { makeFloorModels } from '../servers/floor-tables.ts'
import { hashRate } from './http-hashing.ts'

const IDS = 500
const P95_AIM_MS = 25

/** Compares the server with the baseline over HTTP. */
export async function measureHttp(scratch: Scratch): Promise<void> {
  const library = await useLibrary(scratch)
  await makeFloorModels(library.database.sql)
  const load = startLoadGenerator(scratch)
  const product = await startProductProcess(scratch, `${scratch.folder}/product`, {
    DATABASE_URL: library.databaseUrl,
  })
  const floor = await startBareServer(scratch, 'floor', { DATABASE_URL: library.databaseUrl })
  const rows: string[][] = []
  for (const comparison of await listComparisons(library, product.port, floor.port))
    for (const connections of CONCURRENCIES) rows.push(...(await compare(comparison, connections, load)))
  await product.stop()
  await floor.stop()
  printTable('http: requests per second, and their share of the baseline', HEAD, rows)
  note(
    'Baseline: bare Fastify and driver, one look-up of the session, one prepared statement with the columns of a card. The server writes its log to a file. Only the flood limit is raised.',
  )
}

async function listComparisons(library: Library, product: number, floor: number): Promise<Comparison[]> {
  const { accessToken, sessionId } = await signIn(product)
  const bearer = { authorization: `Bearer ${accessToken}` }
  const session = { authorization: `${sessionId} ${library.accountId}` }
  const get = (port: number, headers: Record<string, string>, paths: string[]): Calls => ({
    port,
    requests: paths.map((path) => ({ method: 'GET', path, headers })),
  })
  const against = (name: string, ours: string[], floors: string[], targetP95Ms?: number): Comparison => ({
    name,
    ...(targetP95Ms !== undefined && { targetP95Ms }),
    ours: get(product, bearer, ours),
    baselines: [{ name: 'baseline', target: 0.6, calls: get(floor, session, floors) }],
  })
  const ids = [...generateModels(IDS)].map(({ id }) => id)
  const searches = MIXED_SEARCHES.map((words) => encodeURIComponent(words))
  const list = `?limit=${PAGE_SIZE}`
  return [
    against('who am I', ['/api/auth/me'], ['/me']),
    against('list of 50 among 100,000', [`/api/stl-files${list}`], [`/models${list}`]),
    against('list of 50 among 100,000, something else changed', asAskedAnew(`/api/stl-files${list}`), [
      `/models${list}`,
    ]),
    against(
      'search, mixed words, newest 50, something else changed',
      asAskedAnew(`/api/stl-files${list}`).map(
        (path, n) => `${path}&search=${searches[n % searches.length]}`,
      ),
      searches.map((words) => `/models-with-words${list}&q=${words}`),
      P95_AIM_MS,
    ),
    against(
      'one by id',
      ids.map((id) => `/api/stl-files/${id}`),
      ids.map((id) => `/model/${id}`),
    ),
    {
      name: 'sign-in',
      ours: { port: product, requests: [signInRequest()] },
      baselines: [{ name: 'the bare password hash', target: 0.9, calls: hashRate(library.passwordHash) }],
    },
  ]
}
