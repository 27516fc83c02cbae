import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { errorMessage } from '@/lib/http/api-error.ts'
import { formatTime } from '@/lib/format/format.ts'
import { ErrorState } from './ui/feedback/error-state.tsx'

interface ListErrorProps {
  /** The list at the start of a sentence: `The STL library`. */
  name: string
  list: UseInfiniteQueryResult
}

/** A failed load: the first one, a refresh of rows that stay visible, or the next page. */
export function ListError({ name, list }: ListErrorProps) {
  if (!list.isError) return null
  const sentence = errorMessage(list.error, 'Please try again.')
  return (
    <ErrorState
      message={list.data ? `${name} could not be refreshed.` : `${name} could not be loaded.`}
      detail={list.data ? `${sentence} The list below is from ${formatTime(list.dataUpdatedAt)}.` : sentence}
      onRetry={() => (list.isFetchNextPageError ? list.fetchNextPage() : list.refetch())}
      isRetrying={list.isFetching}
      className="mb-4"
    />
  )
}
