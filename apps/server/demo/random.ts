/** Pseudo-random numbers (mulberry32) with a fixed seed, so that every demo shop is the same. */
export interface Random {
  /** Returns a number from 0 (included) to 1 (excluded). */
  next(): number
  between(least: number, most: number): number
  whole(least: number, most: number): number
  isLucky(chance: number): boolean
  pick<T>(from: readonly T[]): T
  /** Picks an element. The probability of each element is proportional to its weight. */
  weighted<T>(from: readonly T[], weightOf: (each: T) => number): T
}

export function createRandom(seed: number): Random {
  let state = seed
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  const between = (least: number, most: number) => least + (most - least) * next()
  return {
    next,
    between,
    whole: (least, most) => Math.floor(between(least, most + 1)),
    isLucky: (chance) => next() < chance,
    pick: (from) => from[Math.floor(next() * from.length)]!,
    weighted(from, weightOf) {
      let left = next() * from.reduce((sum, each) => sum + weightOf(each), 0)
      return from.find((each) => (left -= weightOf(each)) <= 0) ?? from.at(-1)!
    },
  }
}
