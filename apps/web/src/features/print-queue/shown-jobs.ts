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

/** Whether a list of that filter shows a job of that status. */
const belongs = (status: PrintJobStatus, filter: unknown): boolean =>
  filter === null ? isUnfinished(status) : filter === status

const withItems = (page: Page, items: PrintJob[]): Page => ({
  ...page,
  items,
  total: page.isTotalCapped ? page.total : page.total + items.length - page.items.length,
})

/** Options of every mutation of the queue. They run one after the other, so that Start after Undo reaches the server second. */
export const QUEUE_MUTATION = { mutationKey: [QUEUE_KEY], scope: { id: QUEUE_KEY } }

/**
 * Loads the queue again, and the lists in `others`, once the last pending mutation is over. After an earlier one the server would
 * still return the job as it was before the next, and the job would jump back for a moment.
 */
export function refreshQueue(client: QueryClient, others: readonly string[] = []): void {
  if (client.isMutating({ mutationKey: [QUEUE_KEY] }) > 1) return
  for (const key of [QUEUE_KEY, ...others]) void client.invalidateQueries({ queryKey: [key] })
}

/** Shows a job as it is about to be, wherever it stands, before the server has said so. Answers the way back. */
export async function showAhead(client: QueryClient, job: PrintJob, isGone = false): Promise<() => void> {
  // What is under way would put the old state back.
  await client.cancelQueries({ queryKey: [QUEUE_KEY] })
  const before = client.getQueriesData({ queryKey: [QUEUE_KEY] })
  for (const [key] of client.getQueriesData<Pages>({ queryKey: LISTS })) {
    const isShown = !isGone && belongs(job.status, key[2])
    client.setQueryData<Pages>(key, (data) => data && withJobIn(data, job, isShown))
  }
  client.setQueryData(
    runningJobsQuery.queryKey,
    (page) => page && withRunning(page, isGone ? null : job, job.id),
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

/** Shows the queue in another order, before the server has said so. Answers the way back. */
export async function showOrderAhead(
  client: QueryClient,
  reorder: (jobs: readonly PrintJob[]) => PrintJob[],
): Promise<() => void> {
  await client.cancelQueries({ queryKey: [QUEUE_KEY] })
  const before = client.getQueriesData<Pages>({ queryKey: LISTS })
  for (const [key] of before) {
    if (!isUnfinished(key[2] as PrintJobStatus | null)) continue
    client.setQueryData<Pages>(key, (data) => data && reordered(data, reorder))
  }
  return () => restore(client, before)
}

/** The same pages, as long as they were, of jobs in another order. */
function reordered(data: Pages, reorder: (jobs: readonly PrintJob[]) => PrintJob[]): Pages {
  const jobs = reorder(data.pages.flatMap((page) => page.items))
  let from = 0
  const pages = data.pages.map((page) => {
    const items = jobs.slice(from, from + page.items.length)
    from += page.items.length
    return { ...page, items }
  })
  return { ...data, pages }
}
