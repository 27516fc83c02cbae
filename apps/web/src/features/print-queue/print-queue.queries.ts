import { MAX_PAGE_SIZE } from '@pegasus/contracts/fields'
import { getPrintJob, listPrintJobSteps, listPrintQueue } from '@pegasus/contracts/print-queue/jobs'
import { listPrinterMatches } from '@pegasus/contracts/print-queue/matching'
import { listPlates } from '@pegasus/contracts/print-queue/plates'
import { getPrinter } from '@pegasus/contracts/print-queue/printers'
import type { PrintJobStatus } from '@pegasus/contracts/statuses'
import { apiListQuery, apiPageQuery, queriesById } from '@/lib/http/api-queries.ts'

/** Every query about print jobs starts with this key, so that one invalidation refreshes them all. */
export const QUEUE_KEY = 'print-queue'
const byId = queriesById(QUEUE_KEY)

/** The maximum number of running jobs that the page shows as cards. */
const MAX_RUNNING_JOBS = 24

export const jobListQuery = (status: PrintJobStatus | null) =>
  apiListQuery([QUEUE_KEY, 'list', status], listPrintQueue, { query: { ...(status && { status }) } })

export const deletedJobsQuery = apiListQuery([QUEUE_KEY, 'bin'], listPrintQueue, {
  query: { deleted: 'true' },
})

export const runningJobsQuery = apiPageQuery([QUEUE_KEY, 'running'], listPrintQueue, {
  query: { status: 'in_progress', limit: MAX_RUNNING_JOBS },
})

/** Loads only the number of jobs on hold. The list contains the jobs themselves. */
export const heldJobsQuery = apiPageQuery([QUEUE_KEY, 'held'], listPrintQueue, {
  query: { status: 'on_hold', limit: 1 },
})

/** The first unfinished jobs, for the dashboard. */
export const firstJobsQuery = (limit: number) =>
  apiPageQuery([QUEUE_KEY, 'first', limit], listPrintQueue, { query: { limit } })

/** The unfinished jobs of an item, or of all items if `itemId` is null. */
export const jobsOfItemQuery = (itemId: string | null) =>
  apiPageQuery([QUEUE_KEY, 'of-item', itemId], listPrintQueue, {
    query: { limit: MAX_PAGE_SIZE, ...(itemId !== null && { inventory_item_id: itemId }) },
  })

export const jobQuery = byId('one', getPrintJob)

/** Returns the started plates of a job, ordered by number. */
export const jobPlatesQuery = byId('plates', listPlates)

/** Returns the printer of a plate, with its slots. */
export const plateSlotsQuery = byId('printer', getPrinter)

/** Returns the status changes of a job, newest first. */
export const jobHistoryQuery = byId('history', listPrintJobSteps)

/** Returns every printer, with the reasons why it cannot print a job now. */
export const matchesQuery = byId('matches', listPrinterMatches)
