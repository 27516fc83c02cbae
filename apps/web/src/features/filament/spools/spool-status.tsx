import type { Spool } from '@pegasus/contracts/filament/spools'
import { StatusBadge } from '@/components/ui/display/badge.tsx'
import { colorLabel } from '../stock/filament-labels.ts'
import { useIsColorLow } from '../stock/use-is-color-low.ts'
import { t } from '@/lib/i18n/messages.ts'

/**
 * The status badge of a spool. An active spool has no badge. `Low` means that this spool is low. `Color low` means that
 * this spool is fine, but all spools of its color together are low.
 */
export function SpoolStatusBadge({ spool }: { spool: Spool }) {
  const isColorLow = useIsColorLow(spool)
  if (isColorLow)
    return (
      <span
        title={t('This spool has enough filament, but all spools of {colorLabel} together do not', {
          colorLabel: colorLabel(spool),
        })}
      >
        <StatusBadge status="color_low" tone="yellow">
          {t('Color low')}
        </StatusBadge>
      </span>
    )
  return spool.status === 'active' ? null : <StatusBadge status={spool.status} />
}
