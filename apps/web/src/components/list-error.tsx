import type { UseInfiniteQueryResult, UseQueryResult } from '@tanstack/react-query'
import { errorMessage } from '@/lib/http/api-error.ts'
import { formatTime } from '@/lib/format/format.ts'
import { ErrorState } from './ui/feedback/error-state.tsx'
import { t } from '@/lib/i18n/messages.ts'

export interface ListErrorProps {
  /** Name of the list at the start of a sentence: `The STL library`. */
  name: string
  /** The query of the list, paged or not. */
  list: UseInfiniteQueryResult | UseQueryResult
}

/** Shows a failed load: of the first page, of a refresh while the rows stay visible, or of the next page. */
export function ListError({ name, list }: ListErrorProps) {
  if (!list.isError) return null
  const sentence = errorMessage(list.error, t('Please try again.'))
  const retry = 'fetchNextPage' in list && list.isFetchNextPageError ? list.fetchNextPage : list.refetch
  return (
    <ErrorState
      message={
        list.data ? t('{name} could not be refreshed.', { name }) : t('{name} could not be loaded.', { name })
      }
      detail={
        list.data
          ? t('{sentence} The list below is from {dataUpdatedAt}.', {
              sentence,
              dataUpdatedAt: formatTime(list.dataUpdatedAt),
            })
          : sentence
      }
      onRetry={() => void retry()}
      isRetrying={list.isFetching}
      className="mb-4"
    />
  )
}
