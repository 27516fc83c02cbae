import type { StatsHistory } from '@pegasus/contracts/stats'

export type MaterialBalance = StatsHistory['filament'][number]

export const missingGrams = ({ remaining_grams, needed_grams }: MaterialBalance): number =>
  Math.max(0, needed_grams - remaining_grams)

/** The materials that fit: those that run short first, then those with most left; in the given order. */
export function pickMaterials(balances: readonly MaterialBalance[], room: number): MaterialBalance[] {
  const isShort = (balance: MaterialBalance) => missingGrams(balance) > 0
  const byNeed = [...balances.filter(isShort), ...balances.filter((balance) => !isShort(balance))]
  const picked = new Set(byNeed.slice(0, room))
  return balances.filter((balance) => picked.has(balance))
}

/**
 * Value of the longest bar: the largest remaining amount, or the needed one up to twice that, so that one job cannot
 * flatten the others.
 */
export function fullScaleGrams(balances: readonly MaterialBalance[]): number {
  const most = Math.max(0, ...balances.map(({ remaining_grams }) => remaining_grams))
  const needed = Math.max(0, ...balances.map(({ needed_grams }) => needed_grams))
  if (most === 0) return Math.max(1, needed)
  return Math.max(most, Math.min(needed, 2 * most))
}
