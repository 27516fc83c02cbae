import { getPrintJob, listPrintJobSteps, listPrintQueue } from '@pegasus/contracts/print-queue/jobs'
import type { PrintJobStatus } from '@pegasus/contracts/statuses'
import { queryOptions } from '@tanstack/react-query'
import { callApi, callList } from '@/lib/http/api.ts'
import { listQuery } from '@/lib/http/use-list.ts'

/** Every query about print jobs starts with this key, so that one invalidation refreshes them all. */
export const QUEUE_KEY = 'print-queue'

/** The most running jobs that the page shows as cards. */
const MAX_RUNNING_JOBS = 24

export const jobListQuery = (status: PrintJobStatus | null) =>
  listQuery([QUEUE_KEY, 'list', status], (page, signal) =>
    callList(listPrintQueue, { query: { ...page, ...(status && { status }) }, signal }),
  )

/** The deleted jobs. */
export const deletedJobsQuery = listQuery([QUEUE_KEY, 'bin'], (page, signal) =>
  callList(listPrintQueue, { query: { ...page, deleted: 'true' }, signal }),
)

export const runningJobsQuery = queryOptions({
  queryKey: [QUEUE_KEY, 'running'],
  queryFn: ({ signal }) =>
    callList(listPrintQueue, { query: { status: 'in_progress', limit: MAX_RUNNING_JOBS }, signal }),
})

/** Loads the number of jobs on hold; the list contains the jobs themselves. */
export const heldJobsQuery = queryOptions({
  queryKey: [QUEUE_KEY, 'held'],
  queryFn: ({ signal }) => callList(listPrintQueue, { query: { status: 'on_hold', limit: 1 }, signal }),
})

/** The first unfinished jobs, for the dashboard. */
export const firstJobsQuery = (limit: number) =>
  queryOptions({
    queryKey: [QUEUE_KEY, 'first', limit],
    queryFn: ({ signal }) => callList(listPrintQueue, { query: { limit }, signal }),
  })

export const jobQuery = (id: string) =>
  queryOptions({
    queryKey: [QUEUE_KEY, 'one', id],
    queryFn: ({ signal }) => callApi(getPrintJob, { params: { id }, signal }),
  })

/** The status changes of a job, newest first. */
export const jobHistoryQuery = (id: string) =>
  queryOptions({
    queryKey: [QUEUE_KEY, 'history', id],
    queryFn: ({ signal }) => callApi(listPrintJobSteps, { params: { id }, signal }),
  })
