import type { UseQueryResult } from '@tanstack/react-query'
import { errorMessage } from '@/lib/http/api-error.ts'
import { ErrorState } from './ui/feedback/error-state.tsx'
import { t } from '@/lib/i18n/messages.ts'

interface QueryErrorProps {
  /** A message that says what could not be loaded. */
  message: string
  query: Pick<UseQueryResult, 'isError' | 'error' | 'isFetching'> & { refetch: () => unknown }
  className?: string
}

/** Shows the error of a failed query with a retry button. Renders nothing if the query has not failed. */
export function QueryError({ message, query, className = '' }: QueryErrorProps) {
  if (!query.isError) return null
  return (
    <ErrorState
      message={message}
      detail={errorMessage(query.error, t('Please try again.'))}
      onRetry={() => void query.refetch()}
      isRetrying={query.isFetching}
      className={className}
    />
  )
}
