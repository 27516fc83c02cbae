import { hasRole } from '@pegasus/contracts/roles'
import { useQuery } from '@tanstack/react-query'
import { CalendarClock, Check } from 'lucide-react'
import { useRef, useState } from 'react'
import { Link } from 'react-router'
import { RefreshButton } from '@/components/refresh-button.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { EmptyState } from '@/components/ui/feedback/empty-state.tsx'
import { ErrorState } from '@/components/ui/feedback/error-state.tsx'
import { Skeleton, SkeletonGroup } from '@/components/ui/feedback/skeleton.tsx'
import { SegmentedControl } from '@/components/ui/forms/segmented-control.tsx'
import { useIsPhone } from '@/lib/browser/use-is-phone.ts'
import { useNow } from '@/lib/browser/use-now.ts'
import { errorMessage } from '@/lib/http/api-error.ts'
import { useCurrentUser } from '@/lib/session/session.ts'
import type { JobAddresses } from '../print-queue-address.ts'
import type { Chosen } from './chosen-print.ts'
import { MoveDialog } from './move-dialog.tsx'
import { proposalsOf } from './proposals.ts'
import { ScheduleList } from './schedule-list.tsx'
import { ScheduleTimeline } from './schedule-timeline.tsx'
import { scheduleQuery, useScheduleChanges } from './schedule.queries.ts'
import { SharedJobs } from './shared-jobs.tsx'
import { UNPLANNED_ID, UnplannedJobs } from './unplanned-jobs.tsx'
import { t } from '@/lib/i18n/messages.ts'

const SPANS = { '12': t('12 h'), '24': t('24 h'), '72': t('3 days') } as const
type Span = keyof typeof SPANS

interface SchedulePageProps {
  queueAddress: string
  /** Address of the report that compares planned and actual prints. */
  reportAddress: string
  jobAddress: (id: string) => string
  addresses: JobAddresses
}

/**
 * Shows the day's plan of each printer: its current print, the jobs assigned to it, and the planner's
 * proposals.
 */
export function SchedulePage({ queueAddress, reportAddress, jobAddress, addresses }: SchedulePageProps) {
  const { printers: printersAddress } = addresses
  const query = useQuery(scheduleQuery)
  const canChange = hasRole(useCurrentUser().role, 'staff')
  const isPhone = useIsPhone()
  const nowMs = useNow()
  const [span, setSpan] = useState<Span>('24')
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const { accept } = useScheduleChanges()
  // The list of jobs that are not planned. It is below the rows of all printers, so a link leads to it.
  const unplanned = useRef<HTMLDivElement>(null)
  const { acceptable: proposals, shared } = query.data
    ? proposalsOf(query.data)
    : { acceptable: 0, shared: [] }
  const sharedJobs = canChange ? <SharedJobs jobs={shared} jobAddress={jobAddress} /> : null
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-2 phone:mb-3">
        <h1 className="text-page font-[620]">{t('Schedule')}</h1>
        <p className="text-ink-3 phone:order-last phone:w-full phone:text-label">
          <Link to={queueAddress} className="link">
            {t('Print Queue')}
          </Link>
          {' · '}
          <Link to={printersAddress} className="link">
            {t('Printers')}
          </Link>
          {canChange ? (
            <>
              {' · '}
              <Link to={reportAddress} className="link">
                {t('Planned and actual')}
              </Link>
            </>
          ) : null}
          {query.data && query.data.unplanned.length > 0 ? (
            <>
              {' · '}
              <a
                href={`#${UNPLANNED_ID}`}
                className="link font-semibold"
                onClick={(event) => {
                  // The address stays the same, so that Back leaves the schedule.
                  event.preventDefault()
                  unplanned.current?.scrollIntoView()
                  unplanned.current?.focus({ preventScroll: true })
                }}
              >
                {t('{jobs, plural, one {# job is not planned} other {# jobs are not planned}}', {
                  jobs: query.data.unplanned_count,
                })}
              </a>
            </>
          ) : null}
        </p>
        <div className="ms-auto flex flex-wrap items-center gap-2">
          {isPhone ? null : (
            <SegmentedControl label={t('Period shown')} value={span} options={SPANS} onChange={setSpan} />
          )}
          <RefreshButton queries={[query]} />
          {canChange && proposals > 0 ? (
            <Button
              variant="primary"
              icon={<Check size={16} strokeWidth={1.75} aria-hidden />}
              isPending={accept.isPending}
              onClick={() => accept.mutate()}
              className="phone:px-2.5"
            >
              {t('Accept {proposals, plural, one {# proposal} other {# proposals}}', { proposals })}
            </Button>
          ) : null}
        </div>
      </div>
      {query.isPending ? (
        <SkeletonGroup label={t('Loading the schedule')}>
          <Skeleton className="h-14" />
          <Skeleton className="mt-2 h-14" />
          <Skeleton className="mt-2 h-14" />
        </SkeletonGroup>
      ) : query.isError ? (
        <ErrorState
          message={t('The schedule could not be loaded.')}
          detail={errorMessage(query.error, t('Please try again.'))}
          onRetry={() => void query.refetch()}
          isRetrying={query.isFetching}
        />
      ) : query.data.printers.length === 0 ? (
        <EmptyState
          icon={<CalendarClock size={24} strokeWidth={1.5} aria-hidden />}
          title={t('No printers to plan')}
          titleLevel={2}
          actions={
            <Link to={printersAddress} className="link">
              {t('Add a printer')}
            </Link>
          }
        >
          {t('Add the printers of the shop, and the planner proposes which one prints what, and when.')}
        </EmptyState>
      ) : (
        <>
          {/* On a phone, the note about shared jobs is below the plan, so that the first printer is near the top. */}
          {isPhone ? null : sharedJobs}
          <Card>
            {isPhone ? (
              <ScheduleList
                schedule={query.data}
                onChoose={canChange ? setChosen : null}
                jobAddress={jobAddress}
              />
            ) : (
              <ScheduleTimeline
                schedule={query.data}
                hours={Number(span)}
                nowMs={nowMs}
                onChoose={canChange ? setChosen : null}
                jobAddress={jobAddress}
              />
            )}
          </Card>
          {isPhone ? <div className="mt-3">{sharedJobs}</div> : null}
          <UnplannedJobs
            ref={unplanned}
            jobs={query.data.unplanned}
            jobAddress={jobAddress}
            addresses={addresses}
          />
        </>
      )}
      {chosen && query.data ? (
        <MoveDialog
          chosen={chosen}
          schedule={query.data}
          jobAddress={jobAddress}
          onClose={() => setChosen(null)}
        />
      ) : null}
    </>
  )
}
