import type { Spool } from '@pegasus/contracts/filament/spools'
import { StatusBadge } from '@/components/ui/display/badge.tsx'
import { colorLabel } from '../stock/filament-labels.ts'
import { useIsColorLow } from '../stock/use-is-color-low.ts'

/**
 * Quiet while all is well: an active spool has no badge. `Low` is the spool itself, as the filter has it; one with enough
 * on it says so where its color is low altogether.
 */
export function SpoolStatusBadge({ spool }: { spool: Spool }) {
  const isColorLow = useIsColorLow(spool)
  if (isColorLow)
    return (
      <span title={`Enough on this spool, but too little ${colorLabel(spool)} altogether`}>
        <StatusBadge status="color_low" tone="yellow">
          Color low
        </StatusBadge>
      </span>
    )
  return spool.status === 'active' ? null : <StatusBadge status={spool.status} />
}
