import type { Statement } from '../sql.ts'

/** The duration of all calls of one statement since the start of the process. Failed calls count, too. */
export interface StatementTime {
  /** The statement with placeholders instead of values. */
  text: string
  count: number
  meanMs: number
  longestMs: number
}

/** Number of statements that are remembered. When it is reached, half of them are forgotten, the fastest first. */
const MAX_KNOWN = 500

interface Times {
  count: number
  totalMs: number
  longestMs: number
}

/**
 * Measures how long statements take. Scripts are left out, because their texts can contain values. Adding a call costs
 * only one look-up in a map.
 */
export class StatementTimes {
  #known = new Map<string, Times>()

  add({ text, isScript }: Statement, durationMs: number): void {
    if (isScript) return
    const times = this.#known.get(text)
    if (!times) {
      if (this.#known.size >= MAX_KNOWN) this.#forgetFastest()
      this.#known.set(text, { count: 1, totalMs: durationMs, longestMs: durationMs })
      return
    }
    times.count += 1
    times.totalMs += durationMs
    if (durationMs > times.longestMs) times.longestMs = durationMs
  }

  /** Returns the statements with a call of at least this duration, the one with the longest mean first. */
  list({ leastMs, limit }: { leastMs: number; limit: number }): StatementTime[] {
    return [...this.#known]
      .filter(([, { longestMs }]) => longestMs >= leastMs)
      .map(([text, { count, totalMs, longestMs }]) => ({ text, count, meanMs: totalMs / count, longestMs }))
      .toSorted((one, other) => other.meanMs - one.meanMs)
      .slice(0, limit)
  }

  #forgetFastest(): void {
    const slowest = [...this.#known].toSorted(([, one], [, other]) => other.longestMs - one.longestMs)
    this.#known = new Map(slowest.slice(0, MAX_KNOWN / 2))
  }
}
