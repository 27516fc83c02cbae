import type { ItemCost } from '@pegasus/contracts/costs'

/** What one piece costs; null where neither its material nor its printing is known: the rest says nothing of it. */
export const knownCost = ({ unit_cost: cost, missing }: ItemCost): number | null =>
  missing.includes('weight_grams') && missing.includes('print_time_minutes') ? null : cost
