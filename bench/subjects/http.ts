import { interleave, median, medianRatio } from '../lib/figures.ts'
import type { Request } from '../lib/http-client.ts'
import { MIXED_SEARCHES, generateModels } from '../lib/library-data.ts'
import { type Library, signIn, signInRequest, useLibrary } from '../lib/library.ts'
import { type Load, type Throughput, startLoadGenerator } from '../lib/load.ts'
import type { Scratch } from '../lib/scratch.ts'
import { startBareServer, startProductProcess } from '../lib/server-process.ts'
import { PAGE_SIZE, PASSES, WINDOW_MS } from '../lib/settings.ts'
import { figure, note, percent, printTable, verdict } from '../lib/table.ts'
import { makeWordIndex } from '../lib/word-index.ts'
import { hashRate } from './http-hashing.ts'

const IDS = 500
const MOST_CONNECTIONS = 16
const CONCURRENCIES = [1, MOST_CONNECTIONS]

interface Target {
  port: number
  requests: Request[]
}

interface Baseline {
  name: string
  /** Share of it that we aim for; left out where it only explains. */
  aim?: number
  target: Target | ((connections: number) => Promise<Throughput>)
}

interface Comparison {
  name: string
  /** How long 95 of 100 answers may take at sixteen connections. */
  p95AimMs?: number
  ours: Target
  baselines: Baseline[]
}

/** The running product against bare servers with the same SQL, over HTTP. */
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
  printTable(
    'http: requests per second, and what they are of the baseline',
    ['what', 'connections', 'ours', 'p95 ms', 'baseline', 'baseline/s', 'ratio', 'aim', ''],
    rows,
  )
  note(
    'Ideal: bare Fastify, one look-up of the session, the same SQL for the rows. The product runs as it is, with its log written to a file; only the flood limit is raised.',
  )
}

async function compare(
  { name, ours: target, baselines, p95AimMs }: Comparison,
  connections: number,
  load: (load: Load) => Promise<Throughput>,
): Promise<string[][]> {
  const ask = (target: Target) => load({ ...target, connections, windowMs: WINDOW_MS })
  const results = await interleave(
    [
      { name: 'ours', run: () => ask(target) },
      ...baselines.map(({ name: baseline, target: other }) => ({
        name: baseline,
        run: () => (typeof other === 'function' ? other(connections) : ask(other)),
      })),
    ],
    PASSES,
  )
  const ratesOf = (who: string) => results.get(who)!.map(({ perSecond }) => perSecond)
  const rateOf = (who: string) => median(ratesOf(who))
  const p95 = median(results.get('ours')!.map(({ p95Ms }) => p95Ms))
  const ours = [name, `c${connections}`, figure(rateOf('ours')), figure(p95)]
  const rows = baselines.map(({ name: baseline, aim }) => {
    const ratio = medianRatio(ratesOf('ours'), ratesOf(baseline))
    const figures = [baseline, figure(rateOf(baseline)), percent(ratio)]
    const judgement = aim === undefined ? [] : [`≥ ${percent(aim)}`, verdict(ratio >= aim)]
    return [...ours, ...figures, ...judgement]
  })
  if (p95AimMs !== undefined && connections === MOST_CONNECTIONS)
    rows.push([...ours, '', '', '', `p95 ≤ ${p95AimMs} ms`, verdict(p95 <= p95AimMs)])
  return rows
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
