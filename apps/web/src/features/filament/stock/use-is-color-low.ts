import type { Spool } from '@pegasus/contracts/filament/spools'
import { useQuery } from '@tanstack/react-query'
import { stockQuery } from '../filament.queries.ts'
import { colorKey } from './filament-labels.ts'

/** Returns whether all spools of this color together are low, although this spool itself is not. */
export function useIsColorLow(spool: Spool): boolean {
  const { data: stock } = useQuery(stockQuery)
  if (spool.status !== 'active') return false
  const key = colorKey(spool)
  return stock?.some((each) => each.is_low && colorKey(each) === key) ?? false
}
