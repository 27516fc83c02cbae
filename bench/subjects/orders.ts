import { CONCURRENCIES, HEAD, type Calls, asAskedAnew, compare } from '../lib/compare-http.ts'
import { signIn } from '../lib/library.ts'
import { startLoadGenerator } from '../lib/load.ts'
import { makeOrders } from '../lib/orders.ts'
import type { Scratch } from '../lib/scratch.ts'
import { startBareServer, startProductProcess } from '../lib/server-process.ts'
import { PAGE_SIZE } from '../lib/settings.ts'
import { makeStock } from '../lib/stock.ts'
import { note, printTable } from '../lib/table.ts'

const LIST = `/api/orders?limit=${PAGE_SIZE}`

/** The requests to the server's orders, and the same requests to the baseline. */
const QUESTIONS: readonly { name: string; ours: string[]; floor: string }[] = [
  { name: 'list of 50', ours: [LIST], floor: '/orders?' },
  { name: 'list of 50, something else changed', ours: asAskedAnew(LIST), floor: '/orders?' },
  { name: 'completed ones', ours: [`${LIST}&status=completed`], floor: '/orders-of-status?q=completed&' },
]

/** Measures the list of orders over HTTP, compared with the baseline. */
export async function measureOrders(scratch: Scratch): Promise<void> {
  const stock = await makeStock(scratch, 'orders')
  await makeOrders(stock)
  const load = startLoadGenerator(scratch)
  const variables = { DATABASE_URL: stock.databaseUrl }
  const product = await startProductProcess(scratch, stock.productFolder, variables)
  const floor = await startBareServer(scratch, 'floor', variables)
  const { accessToken, sessionId } = await signIn(product.port)
  const bearer = { authorization: `Bearer ${accessToken}` }
  const session = { authorization: `${sessionId} ${stock.accountId}` }
  const get = (port: number, headers: Record<string, string>, paths: readonly string[]) => ({
    port,
    requests: paths.map((path) => ({ method: 'GET' as const, path, headers })),
  })
  const rows: string[][] = []
  const measure = async (name: string, ours: Calls, path: string, connections: number) => {
    const calls = {
      ...get(floor.port, session, [`${path}limit=${PAGE_SIZE}`]),
      ...(ours.changes && { changes: ours.changes }),
    }
    const comparison = { name, ours, baselines: [{ name: 'baseline', target: 0.6, calls }] }
    rows.push(...(await compare(comparison, connections, load)))
  }
  for (const { name, ours, floor: path } of QUESTIONS)
    for (const connections of CONCURRENCIES)
      await measure(name, get(product.port, bearer, ours), path, connections)
  // Putting an order on hold frees its allocated stock for other orders, so this changes several rows.
  const answer = await fetch(`http://127.0.0.1:${product.port}${LIST}`, { headers: bearer })
  const [newest] = (await answer.json()) as { id: string }[]
  const steps = ['hold', 'resume'].map((step) => ({
    method: 'POST' as const,
    path: `/api/orders/${newest!.id}/${step}`,
    headers: bearer,
  }))
  const afterChanges = {
    ...get(product.port, bearer, [LIST]),
    changes: { port: product.port, requests: steps },
  }
  await measure('list of 50, each time after an order has changed', afterChanges, '/orders?', 1)
  await floor.stop()
  await product.stop()
  printTable('orders: requests per second among 100,000 orders, and their share of the baseline', HEAD, rows)
  note(
    'Baseline: the contents of a list row, in a separate table with an index in the order of the list. The server computes the missing pieces of each open order from the free stock. The time of the changes is not counted. The baseline is measured after the same changes, because the machine is then still busy with their effects.',
  )
}
