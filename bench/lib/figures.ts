/** Returns the median. For an even number of values it is the mean of the middle two. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length / 2
  return sorted.length % 2 === 1 ? sorted[Math.floor(middle)]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** Returns the value that this share (0 to 1) of all values does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}

/** Returns the median of the ratios of corresponding values. Both values of a pass were measured under similar load. */
export function medianRatio(values: readonly number[], baseline: readonly number[]): number {
  return median(values.map((value, pass) => value / baseline[pass]!))
}

/** One side of a comparison: its name, and a function that runs it once and measures it. */
export interface Contender<T> {
  name: string
  run(): Promise<T> | T
}

/**
 * Runs all contenders in each pass, each time beginning with another one, so that other load affects all equally.
 * Discards the results of the first pass, which is a warm-up.
 */
export async function interleave<T>(
  contenders: readonly Contender<T>[],
  passes: number,
  options: { warmUp: boolean } = { warmUp: true },
): Promise<Map<string, T[]>> {
  const results = new Map<string, T[]>(contenders.map(({ name }) => [name, []]))
  const first = options.warmUp ? -1 : 0
  for (let pass = first; pass < passes; pass += 1) {
    const start = Math.max(0, pass) % contenders.length
    for (const contender of [...contenders.slice(start), ...contenders.slice(0, start)]) {
      const result = await contender.run()
      if (pass >= 0) results.get(contender.name)!.push(result)
    }
  }
  return results
}

/** Repeats `work` for about `windowMs`, with `concurrency` calls at a time. Returns the number of calls per second. */
export async function ratePerSecond(
  work: (index: number) => unknown,
  options: { windowMs: number; concurrency: number },
): Promise<number> {
  const startedAt = performance.now()
  const endsAt = startedAt + options.windowMs
  let begun = 0
  let done = 0
  const lane = async () => {
    while (performance.now() < endsAt) {
      begun += 1
      await work(begun)
      done += 1
    }
  }
  await Promise.all(Array.from({ length: options.concurrency }, lane))
  return (done * 1000) / (performance.now() - startedAt)
}

/** Returns the mean duration of a call in microseconds, measured over a series of calls. */
export function microsecondsPerCall(work: () => unknown, windowMs: number): number {
  const startedAt = performance.now()
  let calls = 0
  let elapsed = 0
  while (elapsed < windowMs) {
    for (let i = 0; i < 8; i += 1) work()
    calls += 8
    elapsed = performance.now() - startedAt
  }
  return (elapsed * 1000) / calls
}

/** Returns the slope of the straight line that fits the points best, in units of y per unit of x. */
export function slopeOf(points: readonly (readonly [number, number])[]): number {
  const mean = (axis: 0 | 1) => points.reduce((sum, point) => sum + point[axis], 0) / points.length
  const [meanX, meanY] = [mean(0), mean(1)]
  const products = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0)
  const squares = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0)
  return squares === 0 ? 0 : products / squares
}
