import type { Spool } from '@pegasus/contracts/filament/spools'
import { useQuery } from '@tanstack/react-query'
import { Detail, DetailList } from '@/components/kit/detail-list.tsx'
import { EntityCards, EntityOverview, OverviewState } from '@/components/kit/entity-overview.tsx'
import { EntityPage, OverviewSkeleton } from '@/components/kit/entity-page.tsx'
import { onDemand } from '@/lib/browser/loadable.tsx'
import { chartDays } from '@/components/level-chart/level-days.ts'
import { useRecentEntries } from '@/components/level-chart/use-recent-entries.ts'
import { formatCount, formatDate, formatGrams, formatMoney } from '@/lib/format/format.ts'
import { useNow } from '@/lib/browser/use-now.ts'
import { ledgerQuery, spoolQuery } from '../filament.queries.ts'
import { LedgerCard } from '../ledger/ledger-card.tsx'
import { SpoolActions } from './spool-actions.tsx'
import { lengthLeft, spoolNames, spoolNote } from './spool-details.ts'
import { SpoolStatusBadge } from './spool-status.tsx'
import { SpoolRing } from './spool-card.tsx'
import { t } from '@/lib/i18n/messages.ts'

const LevelChart = onDemand(async () => (await import('@/components/level-chart/level-chart.tsx')).LevelChart)

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
      list={{ to: backTo, name: t('Filament'), one: 'spool' }}
      name={({ label_code }) => label_code}
      title={(spool) => (
        <>
          {spool.material} <bdi>{spoolNames(spool).title}</bdi>
        </>
      )}
      badges={(spool) => <SpoolStatusBadge spool={spool} />}
      actions={(spool, leave) => <SpoolActions spool={spool} size="md" onRemove={leave} />}
      skeleton={<OverviewSkeleton />}
    >
      {(spool) => (
        <>
          <SpoolDetails spool={spool} />
          <EntityCards>
            <LedgerCard spoolId={spool.id} jobAddress={jobAddress} />
            <SpoolChart spool={spool} />
          </EntityCards>
        </>
      )}
    </EntityPage>
  )
}

function SpoolDetails({ spool }: { spool: Spool }) {
  const nowMs = useNow()
  const { nozzle_temp_c: nozzle, bed_temp_c: bed } = spool
  const { caption } = spoolNames(spool)
  return (
    <EntityOverview
      picture={
        <span className="grid size-full place-items-center bg-sunken p-6">
          <SpoolRing spool={spool} className="size-64 max-md:size-44" />
        </span>
      }
    >
      <OverviewState
        code={spool.label_code}
        figure={
          <>
            {formatCount(Math.round(spool.remaining_grams))}
            <span className="text-body font-normal tracking-normal text-ink-2">
              {' '}
              {t('of {weight_grams}', { weight_grams: formatGrams(spool.weight_grams) })}
            </span>
          </>
        }
      >
        {spool.remaining_grams > 0 ? `${lengthLeft(spool)} · ` : null}
        {spoolNote(spool, nowMs)}
        <Forecast spool={spool} />
      </OverviewState>
      <DetailList isWide>
        <Detail name={t('Filament')}>{caption || null}</Detail>
        <Detail name={t('Color')}>{spool.color || null}</Detail>
        <Detail name={t('Location')}>{spool.location}</Detail>
        <Detail name={t('Lot')}>{spool.lot_number}</Detail>
        <Detail name={t('Diameter')}>{t('{diameter_mm} mm', { diameter_mm: spool.diameter_mm })}</Detail>
        <Detail name={t('Density')}>{`${spool.density_g_cm3} g/cm³`}</Detail>
        <Detail name={t('Temperatures')}>{temperatures(nozzle, bed)}</Detail>
        <Detail name={t('Empty spool')}>
          {spool.spool_weight_grams === null ? null : formatGrams(spool.spool_weight_grams)}
        </Detail>
        <Detail name={t('Cost')}>{spool.cost === null ? null : formatMoney(spool.cost)}</Detail>
        <Detail name={t('Low stock at')}>
          {spool.low_stock_grams === null ? null : formatGrams(spool.low_stock_grams)}
        </Detail>
        <Detail name={t('Opened')}>{spool.opened_at && formatDate(spool.opened_at)}</Detail>
        <Detail name={t('Dried')}>{spool.dried_at && formatDate(spool.dried_at)}</Detail>
        <Detail name={t('Dry every')}>
          {spool.drying_interval_days === null
            ? null
            : t('{drying_interval_days, plural, one {# day} other {# days}}', {
                drying_interval_days: spool.drying_interval_days,
              })}
        </Detail>
        <Detail name={t('Added')}>{formatDate(spool.created_at)}</Detail>
        <Detail name={t('Notes')}>{spool.notes}</Detail>
      </DetailList>
    </EntityOverview>
  )
}

/** Says whether the print queue needs more filament than the spool has. */
function Forecast({ spool: { queued_grams: needed, remaining_grams: left } }: { spool: Spool }) {
  if (needed <= 0) return null
  const rest = left - needed
  return rest < 0 ? (
    <p className="font-medium text-yellow-ink">
      {t('The queue needs {rest} more than is left.', { rest: formatGrams(-rest) })}
    </p>
  ) : (
    <p>{t('{rest} will be left after the queue.', { rest: formatGrams(rest) })}</p>
  )
}

/** Charts the remaining filament on each of the last thirty days, from the day on which the spool began. */
function SpoolChart({ spool }: { spool: Spool }) {
  const entries = useRecentEntries(ledgerQuery(spool.id), ({ last_at: at }) => at)
  const nowMs = useNow()
  const oldest = entries?.at(-1)
  if (!entries || !oldest) return null
  // Programs can add a spool whose ledger begins before it was added here.
  const since = oldest.created_at < spool.created_at ? oldest.created_at : spool.created_at
  // A line needs two days. On its first day, a spool has only its ledger.
  if (chartDays(nowMs, since).length < 2) return null
  return (
    <LevelChart
      title={t('Filament left')}
      level={t('Left')}
      since={since}
      entries={entries.map(({ last_at: at, after_grams: after, delta_grams: delta }) => ({
        at,
        after,
        delta,
      }))}
      format={formatGrams}
      emptyText={t('The spool was empty on all of these days.')}
    />
  )
}

function temperatures(nozzle: number | null, bed: number | null): string | null {
  const parts = [
    nozzle === null ? null : t('{nozzle} °C nozzle', { nozzle }),
    bed === null ? null : t('{bed} °C bed', { bed }),
  ]
  return parts.filter(Boolean).join(', ') || null
}
