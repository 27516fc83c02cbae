import type { Spool } from '@pegasus/contracts/filament/spools'
import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, SearchX } from 'lucide-react'
import { useLayoutEffect } from 'react'
import { Link, useNavigate } from 'react-router'
import { buttonClass } from '@/components/ui/actions/button.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { EmptyState } from '@/components/ui/feedback/empty-state.tsx'
import { ErrorState } from '@/components/ui/feedback/error-state.tsx'
import { RemainingRing } from '@/components/ui/charts/remaining-ring.tsx'
import { Skeleton, SkeletonGroup } from '@/components/ui/feedback/skeleton.tsx'
import { ApiError } from '@/lib/http/api-error.ts'
import { formatCount, formatDate, formatGrams, formatMoney, formatNumberOf } from '@/lib/format/format.ts'
import { usePageTitle } from '@/lib/format/page-title.ts'
import { useNow } from '@/lib/browser/use-now.ts'
import { spoolQuery } from '../filament.queries.ts'
import { LedgerCard } from '../ledger/ledger-card.tsx'
import { SpoolActions } from './spool-actions.tsx'
import { lengthLeft, shareLeft, spoolNames, spoolNote } from './spool-details.ts'
import { SpoolStatusBadge } from './spool-status.tsx'

interface SpoolPageProps {
  id: string
  /** The list as it was left. */
  backTo: string
  jobAddress: (id: string) => string
}

/** One spool: what is left and how it came to that, where it is, and what may be done with it. */
export function SpoolPage({ id, backTo, jobAddress }: SpoolPageProps) {
  const navigate = useNavigate()
  const { data: spool, isPending, error, refetch, isFetching } = useQuery(spoolQuery(id))
  // The address changes only in its query, so the browser would stay where the list was scrolled to.
  useLayoutEffect(() => {
    window.scrollTo(0, 0)
  }, [])
  usePageTitle(spool?.label_code)
  if (error instanceof ApiError && error.status === 404) return <NotFound backTo={backTo} />
  return (
    <>
      <div className="-mt-1 mb-3.5 flex flex-wrap items-center gap-x-2 gap-y-1.5">
        <Link to={backTo} className={`${buttonClass({ variant: 'ghost', size: 'sm' })} -ml-2`}>
          <ArrowLeft size={16} strokeWidth={1.75} aria-hidden />
          Filament
        </Link>
        {spool ? (
          <>
            <h1 className="min-w-0 text-page font-[620] wrap-anywhere phone:order-1 phone:w-full">
              {spool.material} <bdi>{spoolNames(spool).title}</bdi>
            </h1>
            <SpoolStatusBadge spool={spool} />
            <div className="ml-auto">
              <SpoolActions
                spool={spool}
                size="md"
                // First the way out, at once: a page of a spool that is gone would ask for it in vain.
                onRemove={() => void navigate(backTo, { replace: true, flushSync: true })}
              />
            </div>
          </>
        ) : null}
      </div>
      {error ? (
        <ErrorState
          message={spool ? 'The spool could not be refreshed.' : 'The spool could not be loaded.'}
          detail={error.message}
          onRetry={() => void refetch()}
          isRetrying={isFetching}
          className="mb-4"
        />
      ) : null}
      {isPending ? <Loading /> : null}
      {spool ? (
        <div className={COLUMNS}>
          <LedgerCard spoolId={spool.id} jobAddress={jobAddress} />
          <Facts spool={spool} />
        </div>
      ) : null}
    </>
  )
}

const COLUMNS =
  'grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[minmax(0,1fr)_372px] phone:[&>:last-child]:order-first'

function Facts({ spool }: { spool: Spool }) {
  const nowMs = useNow()
  const { nozzle_temp_c: nozzle, bed_temp_c: bed } = spool
  const { caption } = spoolNames(spool)
  return (
    <Card>
      <div className="flex items-center gap-4 border-b border-line p-4">
        <RemainingRing
          share={shareLeft(spool)}
          colorHex={spool.color_hex}
          isLow={spool.status === 'low'}
          className="size-[104px] shrink-0"
        />
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
      <dl className="divide-y divide-line px-4">
        <Fact name="Filament">{caption || null}</Fact>
        <Fact name="Color">{spool.color || null}</Fact>
        <Fact name="Location">{spool.location}</Fact>
        <Fact name="Lot">{spool.lot_number}</Fact>
        <Fact name="Diameter">{`${spool.diameter_mm} mm`}</Fact>
        <Fact name="Density">{`${spool.density_g_cm3} g/cm³`}</Fact>
        <Fact name="Temperatures">{temperatures(nozzle, bed)}</Fact>
        <Fact name="Empty spool">
          {spool.spool_weight_grams === null ? null : formatGrams(spool.spool_weight_grams)}
        </Fact>
        <Fact name="Cost">{spool.cost === null ? null : formatMoney(spool.cost)}</Fact>
        <Fact name="Low stock at">
          {spool.low_stock_grams === null ? null : formatGrams(spool.low_stock_grams)}
        </Fact>
        <Fact name="Opened">{spool.opened_at && formatDate(spool.opened_at)}</Fact>
        <Fact name="Dried">{spool.dried_at && formatDate(spool.dried_at)}</Fact>
        <Fact name="Dry every">
          {spool.drying_interval_days === null ? null : formatNumberOf(spool.drying_interval_days, 'day')}
        </Fact>
        <Fact name="Added">{formatDate(spool.created_at)}</Fact>
        <Fact name="Notes">{spool.notes}</Fact>
      </dl>
    </Card>
  )
}

function temperatures(nozzle: number | null, bed: number | null): string | null {
  const known = [nozzle === null ? null : `${nozzle} °C nozzle`, bed === null ? null : `${bed} °C bed`]
  return known.filter(Boolean).join(', ') || null
}

/** What is not known is left out. */
const Fact = ({ name, children }: { name: string; children: string | null }) =>
  children ? (
    <div className="flex gap-4 py-2">
      <dt className="w-28 shrink-0 text-ink-3">{name}</dt>
      <dd className="min-w-0 flex-1 whitespace-pre-line wrap-anywhere">
        <bdi>{children}</bdi>
      </dd>
    </div>
  ) : null

const NotFound = ({ backTo }: { backTo: string }) => (
  <Card className="p-4">
    <EmptyState
      icon={<SearchX size={24} strokeWidth={1.6} aria-hidden />}
      title="Spool not found"
      titleLevel={1}
      actions={
        <Link to={backTo} className={buttonClass()}>
          All filament
        </Link>
      }
    >
      There is no spool at this address. It may have been deleted.
    </EmptyState>
  </Card>
)

const Loading = () => (
  <SkeletonGroup label="Loading the spool" className={COLUMNS}>
    <div className="flex flex-col gap-4 rounded-card border border-line bg-surface p-4">
      {Array.from({ length: 4 }, (_, index) => (
        <Skeleton key={index} className="h-9" />
      ))}
    </div>
    <div className="rounded-card border border-line bg-surface p-4">
      <Skeleton className="size-[104px] rounded-full!" />
      {Array.from({ length: 6 }, (_, index) => (
        <Skeleton key={index} className="mt-4 h-3" />
      ))}
    </div>
  </SkeletonGroup>
)
