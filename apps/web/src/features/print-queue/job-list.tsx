import { hasRole } from '@pegasus/contracts/roles'
import { useQuery } from '@tanstack/react-query'
import { CalendarClock, LayoutGrid, Printer, Trash2 } from 'lucide-react'
import { useSearchParams } from 'react-router'
import { knownTotal } from '@/components/card-grid.tsx'
import { TableSkeleton } from '@/components/data-table.tsx'
import { ListStates, type ListTexts } from '@/components/kit/list-page.tsx'
import { SavedSearches } from '@/components/saved-searches/saved-searches.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { currentParams } from '@/lib/browser/address-state.ts'
import { formatCount, formatTime, formatTotal } from '@/lib/format/format.ts'
import { useCurrentUser } from '@/lib/session/session.ts'
import { useList } from '@/lib/http/use-list.ts'
import { useNow } from '@/lib/browser/use-now.ts'
import { JobActions } from './job-actions.tsx'
import { JobQueue, PHONE_ROW_HEIGHT, ROW_HEIGHT } from './job-queue.tsx'
import { doneAtMs } from './job-state.ts'
import { AddJobDialog } from './job-forms/add-job-dialog.tsx'
import { heldJobsQuery, jobListQuery, runningJobsQuery } from './print-queue.queries.ts'
import {
  readAddRequest,
  readStatus,
  searchQueryOf,
  toJob,
  withAdd,
  withReplenishment,
  withSavedSearch,
  withSchedule,
  withStatus,
  withTrash,
} from './print-queue-address.ts'
import { ProposalsNote } from './replenishment/replenishment-page.tsx'
import { QueueHead } from './queue-head.tsx'
import { RunningJobs, RunningJobsSkeleton } from './running-jobs.tsx'
import { isUnfinished } from './optimistic-queue.ts'
import { rich, t } from '@/lib/i18n/messages.ts'
import { STATUS_LABELS } from '@/lib/i18n/statuses.ts'
import { joinFacts } from '@/lib/i18n/join-words.ts'

const SEARCHES = {
  list: 'print-queue',
  listName: t('the queue'),
  queryOf: searchQueryOf,
  withSaved: withSavedSearch,
} as const

interface JobListProps {
  addressOf: (id: string) => string
  printersAddress: string
}

/** Lists the running jobs, the waiting jobs and, if the filter includes them, finished jobs. */
export function JobList({ addressOf, printersAddress }: JobListProps) {
  const [params, setParams] = useSearchParams()
  const canChange = hasRole(useCurrentUser().role, 'staff')
  const nowMs = useNow()
  const status = readStatus(params)
  const { list, items, count, paging, ...loading } = useList(jobListQuery(status))
  const running = useQuery({ ...runningJobsQuery, enabled: status === null })
  const heldJobs = useQuery({ ...heldJobsQuery, enabled: status === null })
  // Wait for both queries, because the table would move down if the cards appeared later.
  const isLoading = loading.isLoading || (status === null && running.isPending)
  const isEmpty = loading.isEmpty && !isLoading
  const apply = (next: typeof status) => setParams(withStatus(params, next))
  // Running jobs are shown as cards above the table.
  const rows = status === null ? items.filter((job) => job.status !== 'in_progress') : items
  const printing = status === null ? (running.data?.items ?? []) : []
  const printingCount = status === null ? (running.data?.total ?? 0) : 0
  const total = count && { ...count, total: count.total - printingCount }
  // Jobs on hold wait for a person, not for a printer, so they are counted separately.
  const heldCount = status === null ? (heldJobs.data?.total ?? 0) : 0
  const waiting = total && { ...total, total: total.total - heldCount }
  const applied = status
    ? [{ name: STATUS_LABELS[status], clearLabel: t('Show unfinished'), onClear: () => apply(null) }]
    : []
  const addRequest = canChange ? readAddRequest(params) : null
  const openAdd = () => setParams(withAdd(params, true))
  return (
    <>
      <QueueHead
        status={status}
        onStatus={apply}
        summary={
          count && !isLoading ? (
            status === null ? (
              <Summary
                printing={printingCount}
                doneAt={printing.map((job) => doneAtMs(job, nowMs))}
                waiting={waiting}
                held={heldCount}
                nowMs={nowMs}
              />
            ) : (
              `${count.isTotalCapped ? t('{count} jobs', { count: formatTotal(count) }) : t('{total, plural, one {# job} other {# jobs}}', { total: count.total })}`
            )
          ) : null
        }
        saved={<SavedSearches address={{ ...SEARCHES, params }} isIconOnly />}
        links={[
          { to: `?${withSchedule(params, true)}`, label: t('Schedule'), Icon: CalendarClock },
          { to: printersAddress, label: t('Printers'), Icon: LayoutGrid },
          { to: `?${withTrash(params, true)}`, label: t('Trash'), Icon: Trash2 },
        ]}
        queries={status === null ? [list, running, heldJobs] : [list]}
        onAdd={canChange ? openAdd : null}
      />
      {canChange ? <ProposalsNote to={`?${withReplenishment(params, true)}`} /> : null}
      <ListStates
        data={{ list, items: isLoading ? [] : items, count, isLoading, isEmpty, paging }}
        texts={TEXTS}
        applied={applied}
        onClearAll={() => apply(null)}
        empty={{
          icon: Printer,
          title: t('The print queue is empty'),
          text: t(
            'Print jobs are listed here by priority, each with its part, quantity, filament and status. Completed pieces go into stock.',
          ),
          actions: canChange ? <Button onClick={openAdd}>{t('Add your first job')}</Button> : null,
        }}
        rows={{
          skeleton: (
            <>
              {status === null ? <RunningJobsSkeleton /> : null}
              <TableSkeleton
                label={TEXTS.loading}
                rowHeight={ROW_HEIGHT}
                phoneRowHeight={PHONE_ROW_HEIGHT}
                rows={6}
              />
            </>
          ),
          render: () => (
            <>
              <RunningJobs
                jobs={printing}
                nowMs={nowMs}
                addressOf={addressOf}
                actions={canChange ? (job) => <JobActions job={job} /> : undefined}
              />
              {rows.length === 0 ? (
                <Card className="p-4">
                  <p className="text-ink-2">{t('No jobs are waiting. Every job is on a printer.')}</p>
                </Card>
              ) : (
                <JobQueue
                  rows={rows}
                  total={total ? knownTotal(total) : -1}
                  nowMs={nowMs}
                  // Positions count only waiting jobs, so a list of running jobs cannot be reordered.
                  isQueue={isUnfinished(status) && status !== 'in_progress'}
                  heading={
                    <>
                      {status === null ? t('Waiting') : STATUS_LABELS[status]}
                      {waiting ? (
                        <span className="ms-1.5 font-normal text-ink-3">
                          {heldCount > 0
                            ? t('{waiting}, and {heldCount} on hold', {
                                waiting: formatTotal(waiting),
                                heldCount: formatCount(heldCount),
                              })
                            : formatTotal(waiting)}
                        </span>
                      ) : null}
                    </>
                  }
                  addressOf={addressOf}
                  paging={paging}
                  isCut={list.hasNextPage}
                />
              )}
            </>
          ),
        }}
      />
      {addRequest ? (
        <AddJobDialog
          key={JSON.stringify(addRequest)}
          request={addRequest}
          onClose={() => setParams(withAdd(params, false), { replace: true })}
          onShow={(id) => setParams(toJob(currentParams(), id))}
        />
      ) : null}
    </>
  )
}

const TEXTS: ListTexts = {
  name: t('The print queue'),
  one: 'print job',
  loading: t('Loading the print queue'),
  noMatches: t('No print jobs found'),
}

interface SummaryProps {
  printing: number
  /** The estimated end of each running job, in ms since 1970; null without an estimate. */
  doneAt: readonly (number | null)[]
  waiting: { total: number; isTotalCapped: boolean } | null
  held: number
  nowMs: number
}

/**
 * Shows the counts: `3 printing · 35 waiting · 2 on hold · next bed free 06:41`. The badge of the tab shows
 * the sum of the first two.
 */
function Summary({ printing, doneAt, waiting, held, nowMs }: SummaryProps) {
  const upcoming = doneAt.filter((each): each is number => each !== null && each > nowMs)
  return (
    <>
      {joinFacts([
        t('{printing} printing', { printing: formatCount(printing) }),
        waiting && t('{waiting} waiting', { waiting: formatTotal(waiting) }),
        held > 0 && t('{held} on hold', { held: formatCount(held) }),
      ])}
      {upcoming.length > 0 ? (
        <>
          {' · '}
          {rich('next bed free {time}', {
            time: <span className="font-medium text-ink-2">{formatTime(Math.min(...upcoming))}</span>,
          })}
        </>
      ) : null}
    </>
  )
}
