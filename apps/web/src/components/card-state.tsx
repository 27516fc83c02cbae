import type { UseQueryResult } from '@tanstack/react-query'
import { QueryError } from '@/components/query-error.tsx'
import { Skeleton, SkeletonGroup } from './ui/feedback/skeleton.tsx'
import { t } from '@/lib/i18n/messages.ts'

interface CardStateProps {
  /** Name of the card's content at the start of a sentence: `The versions`. */
  name: string
  query: UseQueryResult
}

/** Shows the loading, error and empty states inside a card. */
export function CardState({ name, query }: CardStateProps) {
  if (query.isError)
    return <QueryError query={query} message={t('{name} could not be loaded.', { name })} className="m-3" />
  if (!query.isPending) return null
  return (
    <SkeletonGroup label={t('{name}: loading', { name })} className="p-4">
      <Skeleton className="h-4 w-2/3" />
      <Skeleton className="mt-2 h-3 w-1/2" />
    </SkeletonGroup>
  )
}
