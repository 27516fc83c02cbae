import type { Spool } from '@pegasus/contracts/filament/spools'
import { RemainingRing } from '@/components/ui/charts/remaining-ring.tsx'
import { formatGrams } from '@/lib/format/format.ts'
import { spoolNames } from '../spools/spool-details.ts'
import { t } from '@/lib/i18n/messages.ts'

interface AmountPreviewProps {
  spool: Spool
  /** Remaining grams after the entry; null while the input is incomplete. */
  afterGrams: number | null
  /** A warning about unusual input, shown instead of the amounts. */
  warning?: string | null
}

/** Shows the spool and its remaining weight before and after the entry. */
export function AmountPreview({ spool, afterGrams, warning = null }: AmountPreviewProps) {
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
          {warning ??
            (afterGrams === null
              ? t('{weight} left', { weight: formatGrams(spool.remaining_grams) })
              : t('{before} → {after}', {
                  before: formatGrams(spool.remaining_grams),
                  after: formatGrams(shown),
                }))}
        </p>
      </div>
    </div>
  )
}
