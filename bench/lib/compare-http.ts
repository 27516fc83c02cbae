import { interleave, median, medianRatio } from './figures.ts'
import type { Request } from './http-client.ts'
import type { Changes, Load, Throughput } from './load.ts'
import { PASSES, WINDOW_MS } from './settings.ts'
import { figure, percent, verdict } from './table.ts'

const MOST_CONNECTIONS = 16
/** Number of different addresses for one request, more than the number of responses that the server caches. */
const DIFFERENT = 3000
export const CONCURRENCIES = [1, MOST_CONNECTIONS]

/** The columns of the rows that `compare` returns. */
export const HEAD = ['what', 'connections', 'ours', 'p95 ms', 'baseline', 'baseline/s', 'ratio', 'target', '']

/** Returns different addresses for the same request, so that no response is cached. */
export const asAskedAnew = (path: string): string[] =>
  Array.from({ length: DIFFERENT }, (_, n) => `${path}&asked=${n}`)

/** The requests that a server is sent, and its port. */
export interface Calls {
  port: number
  requests: Request[]
  changes?: Changes
}

interface Baseline {
  name: string
  /** The target share of the baseline; absent for rows without a target. */
  target?: number
  calls: Calls | ((connections: number) => Promise<Throughput>)
}

export interface Comparison {
  name: string
  /** The target p95 at sixteen connections. */
  targetP95Ms?: number
  ours: Calls
  baselines: Baseline[]
}

/** Compares the server with its baselines in passes, in which they take turns. Returns the rows of a table. */
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
