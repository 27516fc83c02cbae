import type { Spool } from '@pegasus/contracts/filament/spools'
import { Link } from 'react-router'
import { Tag } from '@/components/ui/display/badge.tsx'
import { RemainingRing } from '@/components/ui/charts/remaining-ring.tsx'
import { formatCount, formatGrams } from '@/lib/format/format.ts'
import { useNow } from '@/lib/browser/use-now.ts'
import { SpoolActions } from './spool-actions.tsx'
import { lengthLeft, shareLeft, spoolNames, spoolNote } from './spool-details.ts'
import { SpoolStatusBadge } from './spool-status.tsx'
import { t } from '@/lib/i18n/messages.ts'

/** Shows how full a spool is, as a ring in its color. */
export const SpoolRing = ({ spool, className }: { spool: Spool; className: string }) => (
  <RemainingRing
    share={shareLeft(spool)}
    colorHex={spool.color_hex}
    isLow={spool.status === 'low'}
    className={className}
  />
)

const Names = ({ spool, to }: { spool: Spool; to: string }) => {
  const { title, caption } = spoolNames(spool)
  return (
    <>
      <h3 className="font-semibold" title={title}>
        <Link to={to} className="block truncate text-start hover:underline">
          <bdi className="block truncate">{title}</bdi>
        </Link>
      </h3>
      <p className="min-h-4 text-caption text-ink-3" title={caption}>
        <bdi className="block truncate">{caption}</bdi>
      </p>
    </>
  )
}

const Grams = ({ spool }: { spool: Spool }) => (
  <p className="flex items-baseline gap-1.5">
    <span className="text-[1.25rem] leading-[26px] font-semibold tracking-[-0.02em]">
      {formatCount(Math.round(spool.remaining_grams))}
    </span>
    <span className="whitespace-nowrap text-ink-2">
      {t('of {weight_grams}', { weight_grams: formatGrams(spool.weight_grams) })}
    </span>
    <span className="ms-auto text-label whitespace-nowrap text-ink-3">
      {spool.remaining_grams > 0 ? lengthLeft(spool) : null}
    </span>
  </p>
)

interface SpoolProps {
  spool: Spool
  /** Address of the spool's page. */
  to: string
  /** True for a row, as on a phone; false for a card. */
  isRow: boolean
}

export function SpoolCard({ spool, to, isRow }: SpoolProps) {
  const note = spoolNote(spool, useNow())
  if (isRow) return <SpoolRow spool={spool} to={to} note={note} />
  return (
    <article className="h-full rounded-card border border-line bg-surface">
      <div className="p-3.5 pb-2.5">
        <div className="flex items-center gap-3.5">
          <SpoolRing spool={spool} className="size-[92px] shrink-0" />
          <div className="min-w-0 flex-1">
            <div className="mb-1.5 flex min-h-[22px] items-center justify-between gap-2">
              <Tag>{spool.material}</Tag>
              <SpoolStatusBadge spool={spool} />
            </div>
            <Names spool={spool} to={to} />
            <p className="text-caption text-ink-3 code">{spool.label_code}</p>
          </div>
        </div>
        <div className="mt-2.5">
          <Grams spool={spool} />
          <p className="truncate text-caption text-ink-2">{note}</p>
        </div>
      </div>
      {/* If the actions leave too little room for the location, it has a line of its own. */}
      <div className="flex min-h-10 flex-wrap items-center gap-x-2 gap-y-1 border-t border-line px-3.5 py-1.5 text-caption text-ink-3">
        <bdi className="max-w-full grow truncate" title={spool.location ?? undefined}>
          {spool.location ?? t('No location')}
        </bdi>
        <SpoolActions spool={spool} size="sm" />
      </div>
    </article>
  )
}

const SpoolRow = ({ spool, to, note }: { spool: Spool; to: string; note: string }) => (
  <article className="flex items-start gap-3.5 border-b border-line bg-surface px-4 py-3">
    <SpoolRing spool={spool} className="size-18 shrink-0" />
    <div className="min-w-0 flex-1">
      <div className="flex items-center gap-2">
        <Tag>{spool.material}</Tag>
        <span className="text-caption text-ink-3 code">{spool.label_code}</span>
        <span className="ms-auto">
          <SpoolStatusBadge spool={spool} />
        </span>
      </div>
      <Names spool={spool} to={to} />
      <Grams spool={spool} />
      <p className="flex flex-wrap gap-x-2 text-caption text-ink-2">
        <span className="max-w-full truncate">{note}</span>
        {spool.location ? (
          <bdi className="ms-auto max-w-full truncate text-ink-3">{spool.location}</bdi>
        ) : null}
      </p>
      <div className="mt-2 empty:hidden">
        <SpoolActions spool={spool} size="sm" />
      </div>
    </div>
  </article>
)
