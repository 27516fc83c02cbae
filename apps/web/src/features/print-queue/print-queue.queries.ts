import { getPrintJob, listPrintJobSteps, listPrintQueue } from '@pegasus/contracts/print-queue/jobs'
import { listPrinterMatches } from '@pegasus/contracts/print-queue/matching'
import { listPlates } from '@pegasus/contracts/print-queue/plates'
import type { PrintJobStatus } from '@pegasus/contracts/statuses'
import { apiListQuery, apiQuery, apiPageQuery } from '@/lib/http/api-queries.ts'

/** Every query about print jobs starts with this key, so that one invalidation refreshes them all. */
export const QUEUE_KEY = 'print-queue'

/** The most running jobs that the page shows as cards. */
const MAX_RUNNING_JOBS = 24

export const jobListQuery = (status: PrintJobStatus | null) =>
  apiListQuery([QUEUE_KEY, 'list', status], listPrintQueue, { query: { ...(status && { status }) } })

/** The deleted jobs. */
export const deletedJobsQuery = apiListQuery([QUEUE_KEY, 'bin'], listPrintQueue, {
  query: { deleted: 'true' },
})

export const runningJobsQuery = apiPageQuery([QUEUE_KEY, 'running'], listPrintQueue, {
  query: { status: 'in_progress', limit: MAX_RUNNING_JOBS },
})

/** Loads the number of jobs on hold; the list contains the jobs themselves. */
export const heldJobsQuery = apiPageQuery([QUEUE_KEY, 'held'], listPrintQueue, {
  query: { status: 'on_hold', limit: 1 },
})

/** The first unfinished jobs, for the dashboard. */
export const firstJobsQuery = (limit: number) =>
  apiPageQuery([QUEUE_KEY, 'first', limit], listPrintQueue, { query: { limit } })

export const jobQuery = (id: string) => apiQuery([QUEUE_KEY, 'one', id], getPrintJob, { params: { id } })

/** The plates of a job that were started, by number. */
export const jobPlatesQuery = (id: string) =>
  apiQuery([QUEUE_KEY, 'plates', id], listPlates, { params: { id } })

/** The status changes of a job, newest first. */
export const jobHistoryQuery = (id: string) =>
  apiQuery([QUEUE_KEY, 'history', id], listPrintJobSteps, { params: { id } })

/** Every printer with the reasons why it cannot print a job now. */
export const matchesQuery = (id: string) =>
  apiQuery([QUEUE_KEY, 'matches', id], listPrinterMatches, { params: { id } })
