import { MAX_PAGE_SIZE } from '@pegasus/contracts/fields'
import { getPrintJob, listPrintJobSteps, listPrintQueue } from '@pegasus/contracts/print-queue/jobs'
import { listPrinterMatches } from '@pegasus/contracts/print-queue/matching'
import { listPlates } from '@pegasus/contracts/print-queue/plates'
import { getPrinter } from '@pegasus/contracts/print-queue/printers'
import type { PrintJobStatus } from '@pegasus/contracts/statuses'
import { queryOptions } from '@tanstack/react-query'
import { callList } from '@/lib/http/api.ts'
import { apiListQuery, apiPageQuery, queriesById } from '@/lib/http/api-queries.ts'

/** Every query about print jobs starts with this key, so that one invalidation refreshes them all. */
export const QUEUE_KEY = 'print-queue'
const byId = queriesById(QUEUE_KEY)

/** The maximum number of running jobs that the page shows as cards. */
const MAX_RUNNING_JOBS = 24

export const jobListQuery = (status: PrintJobStatus | null) =>
  apiListQuery([QUEUE_KEY, 'list', status], listPrintQueue, { query: { ...(status && { status }) } })

export const deletedJobsQuery = apiListQuery([QUEUE_KEY, 'trash'], listPrintQueue, {
  query: { deleted: 'true' },
})

export const runningJobsQuery = apiPageQuery([QUEUE_KEY, 'running'], listPrintQueue, {
  query: { status: 'in_progress', limit: MAX_RUNNING_JOBS },
})

/** Loads only the number of jobs on hold. The list contains the jobs themselves. */
export const heldJobsQuery = apiPageQuery([QUEUE_KEY, 'held'], listPrintQueue, {
  query: { status: 'on_hold', limit: 1 },
})

/** The running jobs, and after them the first of the other unfinished jobs, for the dashboard. */
export const firstJobsQuery = (limit: number) =>
  queryOptions({
    queryKey: [QUEUE_KEY, 'first', limit],
    queryFn: async ({ signal }) => {
      const load = (query: { status?: PrintJobStatus; limit: number }) =>
        callList(listPrintQueue, { query, signal })
      // A running job can be in both lists. The result then needs one other job fewer, so the two lists are long
      // enough.
      const [running, first] = await Promise.all([load({ status: 'in_progress', limit }), load({ limit })])
      // A job whose status changed between the two reads is in both lists.
      const runningIds = new Set(running.items.map(({ id }) => id))
      const others = first.items.filter(({ id, status }) => status !== 'in_progress' && !runningIds.has(id))
      return { ...first, items: [...running.items, ...others].slice(0, limit) }
    },
  })

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
