import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { ErrorState } from '@/components/ui/error-state.tsx'
import { errorDetail } from '@/lib/api-error.ts'
import { formatTime } from './format-time.ts'

/** A load that failed: the first, a refresh of what is shown all the same, or that of the next page. */
export function LibraryError({ list }: { list: UseInfiniteQueryResult }) {
  if (!list.isError) return null
  const sentence = errorDetail(list.error, 'Please try again.')
  return (
    <ErrorState
      message={list.data ? 'The STL library could not be refreshed.' : 'The STL library could not be loaded.'}
      detail={list.data ? `${sentence} The list below is from ${formatTime(list.dataUpdatedAt)}.` : sentence}
      onRetry={() => (list.isFetchNextPageError ? list.fetchNextPage() : list.refetch())}
      isRetrying={list.isFetching}
      className="mb-4"
    />
  )
}
