import type { Spool } from '@pegasus/contracts/filament/spools'
import { useQuery } from '@tanstack/react-query'
import { Detail, DetailList } from '@/components/kit/detail-list.tsx'
import { EntityColumns, EntityPage, EntitySkeleton } from '@/components/kit/entity-page.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { formatCount, formatDate, formatGrams, formatMoney, formatNumberOf } from '@/lib/format/format.ts'
import { useNow } from '@/lib/browser/use-now.ts'
import { spoolQuery } from '../filament.queries.ts'
import { LedgerCard } from '../ledger/ledger-card.tsx'
import { SpoolActions } from './spool-actions.tsx'
import { lengthLeft, spoolNames, spoolNote } from './spool-details.ts'
import { SpoolStatusBadge } from './spool-status.tsx'
import { SpoolRing } from './spool-card.tsx'

interface SpoolPageProps {
  id: string
  /** Address of the list with its filters. */
  backTo: string
  jobAddress: (id: string) => string
}

/** The page of a spool: remaining weight, ledger, details and actions. */
export function SpoolPage({ id, backTo, jobAddress }: SpoolPageProps) {
  return (
    <EntityPage
      query={useQuery(spoolQuery(id))}
      list={{ to: backTo, name: 'Filament', one: 'spool' }}
      name={({ label_code }) => label_code}
      title={(spool) => (
        <>
          {spool.material} <bdi>{spoolNames(spool).title}</bdi>
        </>
      )}
      badges={(spool) => <SpoolStatusBadge spool={spool} />}
      actions={(spool, leave) => <SpoolActions spool={spool} size="md" onRemove={leave} />}
      skeleton={<EntitySkeleton lines={4} picture="size-[104px] rounded-full!" />}
    >
      {(spool) => (
        <EntityColumns isAsideFirst>
          <LedgerCard spoolId={spool.id} jobAddress={jobAddress} />
          <SpoolDetails spool={spool} />
        </EntityColumns>
      )}
    </EntityPage>
  )
}

function SpoolDetails({ spool }: { spool: Spool }) {
  const nowMs = useNow()
  const { nozzle_temp_c: nozzle, bed_temp_c: bed } = spool
  const { caption } = spoolNames(spool)
  return (
    <Card>
      <div className="flex items-center gap-4 border-b border-line p-4">
        <SpoolRing spool={spool} className="size-[104px] shrink-0" />
        <div className="min-w-0">
          <p className="text-caption text-ink-3 code">{spool.label_code}</p>
          <p className="text-figure font-[580]">
            {formatCount(Math.round(spool.remaining_grams))}
            <span className="text-body font-normal tracking-normal text-ink-2">
              {' '}
              of {formatGrams(spool.weight_grams)}
            </span>
          </p>
          <p className="text-label text-ink-2">
            {spool.remaining_grams > 0 ? `${lengthLeft(spool)} · ` : null}
            {spoolNote(spool, nowMs)}
          </p>
        </div>
      </div>
      <DetailList>
        <Detail name="Filament">{caption || null}</Detail>
        <Detail name="Color">{spool.color || null}</Detail>
        <Detail name="Location">{spool.location}</Detail>
        <Detail name="Lot">{spool.lot_number}</Detail>
        <Detail name="Diameter">{`${spool.diameter_mm} mm`}</Detail>
        <Detail name="Density">{`${spool.density_g_cm3} g/cm³`}</Detail>
        <Detail name="Temperatures">{temperatures(nozzle, bed)}</Detail>
        <Detail name="Empty spool">
          {spool.spool_weight_grams === null ? null : formatGrams(spool.spool_weight_grams)}
        </Detail>
        <Detail name="Cost">{spool.cost === null ? null : formatMoney(spool.cost)}</Detail>
        <Detail name="Low stock at">
          {spool.low_stock_grams === null ? null : formatGrams(spool.low_stock_grams)}
        </Detail>
        <Detail name="Opened">{spool.opened_at && formatDate(spool.opened_at)}</Detail>
        <Detail name="Dried">{spool.dried_at && formatDate(spool.dried_at)}</Detail>
        <Detail name="Dry every">
          {spool.drying_interval_days === null ? null : formatNumberOf(spool.drying_interval_days, 'day')}
        </Detail>
        <Detail name="Added">{formatDate(spool.created_at)}</Detail>
        <Detail name="Notes">{spool.notes}</Detail>
      </DetailList>
    </Card>
  )
}

function temperatures(nozzle: number | null, bed: number | null): string | null {
  const parts = [nozzle === null ? null : `${nozzle} °C nozzle`, bed === null ? null : `${bed} °C bed`]
  return parts.filter(Boolean).join(', ') || null
}
