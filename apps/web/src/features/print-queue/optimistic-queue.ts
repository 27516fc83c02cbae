import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import { type PrintJobStatus, UNFINISHED_PRINT_JOB_STATUSES } from '@pegasus/contracts/statuses'
import type { InfiniteData, QueryClient, QueryKey } from '@tanstack/react-query'
import type { ListPage } from '@/lib/http/api.ts'
import { jobQuery, QUEUE_KEY, runningJobsQuery } from './print-queue.queries.ts'

type Page = ListPage<PrintJob>
type Pages = InfiniteData<Page, string | null>

const LISTS = [QUEUE_KEY, 'list']

export const isUnfinished = (status: PrintJobStatus | null): boolean =>
  status === null || UNFINISHED_PRINT_JOB_STATUSES.some((unfinished) => unfinished === status)

/** Returns whether a list with this filter contains jobs with this status. */
const matchesFilter = (status: PrintJobStatus, filter: unknown): boolean =>
  filter === null ? isUnfinished(status) : filter === status

const withItems = (page: Page, items: PrintJob[]): Page => ({
  ...page,
  items,
  total: page.isTotalCapped ? page.total : page.total + items.length - page.items.length,
})

/**
 * Options for every mutation of the queue. The scope runs them one after the other, so that the server
 * receives them in the order in which the buttons were pressed.
 */
export const QUEUE_MUTATION = { mutationKey: [QUEUE_KEY], scope: { id: QUEUE_KEY } }

/**
 * Refetches the queue and the queries with the keys in `others`, but only after the last pending mutation. An
 * earlier refetch would return the state before the next mutation, and the job would jump back for a moment.
 */
export function refreshQueue(client: QueryClient, others: readonly string[] = []): void {
  if (client.isMutating({ mutationKey: [QUEUE_KEY] }) > 1) return
  for (const key of [QUEUE_KEY, ...others]) void client.invalidateQueries({ queryKey: [key] })
}

/** Refetches everything that a resolved reason of a waiting job changes. */
export const refreshWaits = (client: QueryClient): void =>
  refreshQueue(client, ['filament', 'printers', 'inventory'])

/**
 * Shows the expected state of a job in all cached queries before the server responds. Returns a function that reverts
 * it.
 */
export async function showOptimisticJob(
  client: QueryClient,
  job: PrintJob,
  isRemoved = false,
): Promise<() => void> {
  // Responses to running requests would overwrite the new state with the old one.
  await client.cancelQueries({ queryKey: [QUEUE_KEY] })
  const before = client.getQueriesData({ queryKey: [QUEUE_KEY] })
  for (const [key] of client.getQueriesData<Pages>({ queryKey: LISTS })) {
    const isShown = !isRemoved && matchesFilter(job.status, key[2])
    client.setQueryData<Pages>(key, (data) => data && withJobIn(data, job, isShown))
  }
  client.setQueryData(
    runningJobsQuery.queryKey,
    (page) => page && withRunning(page, isRemoved ? null : job, job.id),
  )
  client.setQueryData(jobQuery(job.id).queryKey, (known) => known && job)
  return () => restore(client, before)
}

function restore(client: QueryClient, before: readonly [QueryKey, unknown][]): void {
  for (const [key, data] of before) client.setQueryData(key, data)
}

const withJobIn = (data: Pages, job: PrintJob, isShown: boolean): Pages => ({
  ...data,
  pages: data.pages.map((page) =>
    withItems(
      page,
      page.items.flatMap((each) => (each.id !== job.id ? [each] : isShown ? [job] : [])),
    ),
  ),
})

function withRunning(page: Page, job: PrintJob | null, id: string): Page {
  const others = page.items.filter((each) => each.id !== id)
  return withItems(page, job?.status === 'in_progress' ? [...others, job] : others)
}

/** Shows the queue in another order before the server responds. Returns a function that reverts it. */
export async function showOptimisticOrder(
  client: QueryClient,
  reorder: (jobs: readonly PrintJob[]) => PrintJob[],
): Promise<() => void> {
  await client.cancelQueries({ queryKey: [QUEUE_KEY] })
  const before = client.getQueriesData<Pages>({ queryKey: LISTS })
  for (const [key] of before) {
    if (!isUnfinished(key[2] as PrintJobStatus | null)) continue
    client.setQueryData<Pages>(key, (data) => data && reorderPages(data, reorder))
  }
  return () => restore(client, before)
}

/** Reorders the jobs of all pages. Each page keeps its length. */
function reorderPages(data: Pages, reorder: (jobs: readonly PrintJob[]) => PrintJob[]): Pages {
  const jobs = reorder(data.pages.flatMap((page) => page.items))
  let from = 0
  const pages = data.pages.map((page) => {
    const items = jobs.slice(from, from + page.items.length)
    from += page.items.length
    return { ...page, items }
  })
  return { ...data, pages }
}
