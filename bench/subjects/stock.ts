import { setTimeout as wait } from 'node:timers/promises'
import { type Comparison, CONCURRENCIES, HEAD, compare } from '../lib/compare-http.ts'
import { MIXED_SEARCHES } from '../lib/library-data.ts'
import { signIn } from '../lib/library.ts'
import { startLoadGenerator } from '../lib/load.ts'
import { memoryOf } from '../lib/memory.ts'
import type { Scratch } from '../lib/scratch.ts'
import { startBareServer, startProductProcess } from '../lib/server-process.ts'
import { IS_TRIAL, PAGE_SIZE } from '../lib/settings.ts'
import { makeStock } from '../lib/stock.ts'
import { figure, note, printTable } from '../lib/table.ts'

const IMPORTED_ROWS = IS_TRIAL ? 100 : 5000
const POLL_MS = 5

const WORDS = MIXED_SEARCHES.map((words) => encodeURIComponent(words))

/** The requests to the server's stock, and the same requests to the baseline. */
const QUESTIONS: readonly { name: string; ours: string[]; floor: string[] }[] = [
  { name: 'list of 50', ours: ['?'], floor: ['/items?'] },
  {
    name: 'search of mixed words',
    ours: WORDS.map((words) => `?search=${words}`),
    floor: WORDS.map((words) => `/items-with-words?q=${words}`),
  },
  { name: 'low stock only', ours: ['?low_stock_only=true'], floor: ['/items-running-low?'] },
  { name: 'by name', ours: ['?sort=name'], floor: ['/items-by-name?'] },
  { name: 'by quantity', ours: ['?sort=quantity'], floor: ['/items-by-quantity?'] },
]

/** Measures the inventory over HTTP, compared with the baseline, and a CSV import during other requests. */
export async function measureStock(scratch: Scratch): Promise<void> {
  const { databaseUrl, accountId, productFolder } = await makeStock(scratch, 'stock')
  const load = startLoadGenerator(scratch)
  const variables = { DATABASE_URL: databaseUrl }
  const product = await startProductProcess(scratch, productFolder, variables)
  const floor = await startBareServer(scratch, 'floor', variables)
  const { accessToken, sessionId } = await signIn(product.port)
  const bearer = { authorization: `Bearer ${accessToken}` }
  const session = { authorization: `${sessionId} ${accountId}` }
  const get = (port: number, headers: Record<string, string>, paths: readonly string[]) => ({
    port,
    requests: paths.map((path) => ({ method: 'GET' as const, path: `${path}&limit=${PAGE_SIZE}`, headers })),
  })
  const rows: string[][] = []
  for (const { name, ours, floor: floors } of QUESTIONS)
    for (const connections of CONCURRENCIES) {
      const comparison: Comparison = {
        name,
        ours: get(
          product.port,
          bearer,
          ours.map((query) => `/api/inventory${query}`),
        ),
        baselines: [{ name: 'baseline', target: 0.6, calls: get(floor.port, session, floors) }],
      }
      rows.push(...(await compare(comparison, connections, load)))
    }
  await floor.stop()
  printTable('stock: requests per second among 100,000 items, and their share of the baseline', HEAD, rows)
  note('Baseline: an inverted index over words or an index in the order, and no count.')
  await measureImports(product, bearer)
  await product.stop()
}

const tableOf = (quantity: number): string =>
  `name,sku,quantity,location,selling_price,notes\n${Array.from(
    { length: IMPORTED_ROWS },
    (_, n) =>
      `"Imported part ${n}",NEW-${n},${quantity},"Import / Shelf ${n % 50}",${n % 90}.50,"Row ${n}, as is"`,
  ).join('\n')}\n`

async function measureImports(
  { port, pid }: { port: number; pid: number },
  headers: Record<string, string>,
): Promise<void> {
  const send = async (quantity: number, isDryRun: boolean) => {
    const form = new FormData()
    form.set('dry_run', String(isDryRun))
    form.set('file', new Blob([tableOf(quantity)]), 'items.csv')
    const url = `http://127.0.0.1:${port}/api/inventory/import`
    const answer = await fetch(url, { method: 'POST', headers, body: form })
    if (!answer.ok) throw new Error(`import answered ${answer.status} ${await answer.text()}`)
    await answer.arrayBuffer()
  }
  const rows: string[][] = []
  for (const [name, quantity, isDryRun] of [
    ['dry run of new items', 3, true],
    ['new items', 3, false],
    ['the same again, nothing changes', 3, false],
    ['another quantity in each', 4, false],
  ] as const) {
    const beside = watch(port, pid)
    const startedAt = performance.now()
    await send(quantity, isDryRun)
    const seconds = (performance.now() - startedAt) / 1000
    const { longestMs, growthMb } = await beside.end()
    rows.push([name, figure(seconds), figure(longestMs), figure(growthMb)])
  }
  printTable(
    `stock: a table of ${IMPORTED_ROWS.toLocaleString('en-GB')} rows is imported`,
    ['what', 'seconds', 'longest response of /healthz during the import, ms', 'growth of RSS, MB'],
    rows,
  )
}

/** Repeatedly checks whether the server responds, and measures its memory. */
function watch(port: number, pid: number) {
  const done = new AbortController()
  const run = (async () => {
    const before = (await memoryOf(pid))?.rssMb ?? 0
    let [longestMs, mostMb] = [0, before]
    while (!done.signal.aborted) {
      const askedAt = performance.now()
      await (await fetch(`http://127.0.0.1:${port}/healthz`)).arrayBuffer()
      longestMs = Math.max(longestMs, performance.now() - askedAt)
      mostMb = Math.max(mostMb, (await memoryOf(pid))?.rssMb ?? 0)
      await wait(POLL_MS)
    }
    return { longestMs, growthMb: mostMb - before }
  })()
  return {
    end: () => {
      done.abort()
      return run
    },
  }
}
