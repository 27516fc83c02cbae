import type { Spool } from '@pegasus/contracts/filament'
import type { SpoolStatus } from '@pegasus/contracts/statuses'
import { useQuery } from '@tanstack/react-query'
import { stockQuery } from '../filament.queries.ts'
import { colorKey } from './filament-words.ts'

/** A spool with enough on it is low all the same while there is too little of its material and color altogether. */
export function useShownStatus(spool: Spool): SpoolStatus {
  const { data: stock } = useQuery(stockQuery)
  if (spool.status !== 'active') return spool.status
  const key = colorKey(spool)
  return stock?.some((each) => each.is_low && colorKey(each) === key) ? 'low' : 'active'
}
