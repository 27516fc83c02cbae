import { useEffect } from 'react'
import { useNow } from '@/lib/browser/use-now.ts'
import { DAY_MS } from '@/lib/format/durations.ts'
import { type listQuery, useList } from '@/lib/http/use-list.ts'
import { CHART_DAYS } from './level-days.ts'

/** Maximum number of pages that a chart loads, so that a very busy ledger does not load without end. */
const MAX_PAGES = 10

/**
 * Returns the entries of a ledger for a chart, newest first. Loads further pages until the entries cover all
 * days of the chart. `atOf` returns the time of an entry. The entries are null until they are complete.
 */
export function useRecentEntries<Entry extends { id: string }>(
  options: ReturnType<typeof listQuery<Entry>>,
  atOf: (entry: Entry) => string,
): readonly Entry[] | null {
  const { list, items, isLoading } = useList(options)
  const oldest = items.at(-1)
  const pageCount = list.data?.pages.length ?? 0
  const firstDayMs = useNow() - CHART_DAYS * DAY_MS
  const needsMore =
    list.hasNextPage &&
    !list.isError &&
    pageCount < MAX_PAGES &&
    oldest !== undefined &&
    Date.parse(atOf(oldest)) > firstDayMs
  const { fetchNextPage, isFetching } = list
  useEffect(() => {
    if (needsMore && !isFetching) void fetchNextPage()
    // The effect depends on `pageCount`, because two renders may differ only in the number of loaded pages.
  }, [needsMore, isFetching, pageCount, fetchNextPage])
  return isLoading || needsMore ? null : items
}
