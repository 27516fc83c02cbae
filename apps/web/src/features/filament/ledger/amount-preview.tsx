import type { Spool } from '@pegasus/contracts/filament/spools'
import { RemainingRing } from '@/components/ui/charts/remaining-ring.tsx'
import { formatGrams } from '@/lib/format/format.ts'
import { spoolNames } from '../spools/spool-details.ts'

interface AfterLineProps {
  spool: Spool
  /** What would be left; null while that cannot be told. */
  afterGrams: number | null
  /** Said in place of it, where something is odd. */
  warning?: string | null
}

/** The spool in hand, and what would be left on it: seen before it is booked. */
export function AfterLine({ spool, afterGrams, warning = null }: AfterLineProps) {
  const { title, caption } = spoolNames(spool)
  const shown = Math.max(0, afterGrams ?? spool.remaining_grams)
  return (
    <div className="mb-4 flex items-center gap-3.5">
      <RemainingRing
        share={spool.weight_grams > 0 ? shown / spool.weight_grams : 0}
        colorHex={spool.color_hex}
        isLow={spool.status === 'low'}
        className="size-18 shrink-0"
      />
      <div className="min-w-0">
        <p className="font-semibold">
          {spool.material} <bdi>{title}</bdi>
        </p>
        <p className="truncate text-caption text-ink-3">
          <span className="code">{spool.label_code}</span>
          {caption ? <bdi> · {caption}</bdi> : null}
        </p>
        <p className="mt-1 text-label text-ink-2" role="status">
          {warning ?? (
            <>
              {formatGrams(spool.remaining_grams)}
              {afterGrams === null ? ' left' : ` → ${formatGrams(shown)}`}
            </>
          )}
        </p>
      </div>
    </div>
  )
}
