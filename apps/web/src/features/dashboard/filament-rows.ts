import type { StatsHistory } from '@pegasus/contracts/stats'

export type MaterialBalance = StatsHistory['filament'][number]

export const missingGrams = ({ remaining_grams, needed_grams }: MaterialBalance): number =>
  Math.max(0, needed_grams - remaining_grams)

/**
 * Returns as many materials as fit into `room` rows, in their original order. Materials that run short are
 * chosen first, then those with the most filament left.
 */
export function pickMaterials(balances: readonly MaterialBalance[], room: number): MaterialBalance[] {
  const isShort = (balance: MaterialBalance) => missingGrams(balance) > 0
  const byNeed = [...balances.filter(isShort), ...balances.filter((balance) => !isShort(balance))]
  const picked = new Set(byNeed.slice(0, room))
  return balances.filter((balance) => picked.has(balance))
}

/**
 * Returns the value that fills a whole bar: the largest remaining amount or the largest needed amount, but at
 * most twice the largest remaining amount, so that one job cannot shrink all other bars.
 */
export function fullScaleGrams(balances: readonly MaterialBalance[]): number {
  const most = Math.max(0, ...balances.map(({ remaining_grams }) => remaining_grams))
  const needed = Math.max(0, ...balances.map(({ needed_grams }) => needed_grams))
  if (most === 0) return Math.max(1, needed)
  return Math.max(most, Math.min(needed, 2 * most))
}
