import { getPrintJob, listPrintJobSteps, listPrintQueue } from '@pegasus/contracts/print-queue/jobs'
import type { PrintJobStatus } from '@pegasus/contracts/statuses'
import { queryOptions } from '@tanstack/react-query'
import { callApi, callList } from '@/lib/http/api.ts'
import { listQuery } from '@/lib/http/use-list.ts'

/** Every query about print jobs begins with it, so that whatever changes one refreshes them all. */
export const QUEUE_KEY = 'print-queue'

/** More printers than a page of cards has room for. */
const MOST_PRINTERS = 24

export const jobListQuery = (status: PrintJobStatus | null) =>
  listQuery([QUEUE_KEY, 'list', status], (page, signal) =>
    callList(listPrintQueue, { query: { ...page, ...(status && { status }) }, signal }),
  )

/** What lies in the bin. */
export const jobBinQuery = listQuery([QUEUE_KEY, 'bin'], (page, signal) =>
  callList(listPrintQueue, { query: { ...page, deleted: 'true' }, signal }),
)

export const runningJobsQuery = queryOptions({
  queryKey: [QUEUE_KEY, 'running'],
  queryFn: ({ signal }) =>
    callList(listPrintQueue, { query: { status: 'in_progress', limit: MOST_PRINTERS }, signal }),
})

/** How many somebody has put on hold; the jobs themselves stand in the list. */
export const heldJobsQuery = queryOptions({
  queryKey: [QUEUE_KEY, 'held'],
  queryFn: ({ signal }) => callList(listPrintQueue, { query: { status: 'on_hold', limit: 1 }, signal }),
})

/** The first few that are not finished, for the dashboard. */
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

/** What became of a job, the latest first. */
export const jobHistoryQuery = (id: string) =>
  queryOptions({
    queryKey: [QUEUE_KEY, 'history', id],
    queryFn: ({ signal }) => callApi(listPrintJobSteps, { params: { id }, signal }),
  })
