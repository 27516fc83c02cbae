import { interleave, median, medianRatio } from './figures.ts'
import type { Request } from './http-client.ts'
import type { Changes, Load, Throughput } from './load.ts'
import { PASSES, WINDOW_MS } from './settings.ts'
import { figure, percent, verdict } from './table.ts'

const MOST_CONNECTIONS = 16
/** The number of different addresses for one request. The server cannot cache as many responses. */
const DIFFERENT = 3000
export const CONCURRENCIES = [1, MOST_CONNECTIONS]

/** The headings of the table whose rows `compare` returns. */
export const HEAD = ['what', 'connections', 'ours', 'p95 ms', 'baseline', 'baseline/s', 'ratio', 'target', '']

/** Returns many addresses that differ only in an unused parameter, so that no response comes from the cache. */
export const asAskedAnew = (path: string): string[] =>
  Array.from({ length: DIFFERENT }, (_, n) => `${path}&asked=${n}`)

/** The requests to send to a server, and its port. */
export interface Calls {
  port: number
  requests: Request[]
  changes?: Changes
}

interface Baseline {
  name: string
  /** The lowest acceptable ratio of our rate to the rate of this baseline. Missing if there is no target. */
  target?: number
  calls: Calls | ((connections: number) => Promise<Throughput>)
}

export interface Comparison {
  name: string
  /** The highest acceptable 95th percentile of the response times, with sixteen connections. */
  targetP95Ms?: number
  ours: Calls
  baselines: Baseline[]
}

/** Measures the server and its baselines in turn, several times. Returns the rows of a table. */
export async function compare(
  { name, ours, baselines, targetP95Ms }: Comparison,
  connections: number,
  load: (load: Load) => Promise<Throughput>,
): Promise<string[][]> {
  const ask = (calls: Calls) => load({ ...calls, connections, windowMs: WINDOW_MS })
  const results = await interleave(
    [
      { name: 'ours', run: () => ask(ours) },
      ...baselines.map(({ name: baseline, calls: other }) => ({
        name: baseline,
        run: () => (typeof other === 'function' ? other(connections) : ask(other)),
      })),
    ],
    PASSES,
  )
  const ratesOf = (who: string) => results.get(who)!.map(({ perSecond }) => perSecond)
  const rateOf = (who: string) => median(ratesOf(who))
  const p95 = median(results.get('ours')!.map(({ p95Ms }) => p95Ms))
  const columns = [name, `c${connections}`, figure(rateOf('ours')), figure(p95)]
  const rows = baselines.map(({ name: baseline, target }) => {
    const ratio = medianRatio(ratesOf('ours'), ratesOf(baseline))
    const figures = [baseline, figure(rateOf(baseline)), percent(ratio)]
    const judgement = target === undefined ? [] : [`≥ ${percent(target)}`, verdict(ratio >= target)]
    return [...columns, ...figures, ...judgement]
  })
  if (targetP95Ms !== undefined && connections === MOST_CONNECTIONS)
    rows.push([...columns, '', '', '', `p95 ≤ ${targetP95Ms} ms`, verdict(p95 <= targetP95Ms)])
  return rows
}
