import type { UseQueryResult } from '@tanstack/react-query'
import { QueryError } from '@/components/query-error.tsx'
import { Skeleton, SkeletonGroup } from './ui/feedback/skeleton.tsx'

interface CardStateProps {
  /** Shown after a failure: `The versions could not be loaded.` */
  error: string
  /** Accessible name of the placeholder while the data loads: `The versions: loading` */
  loading: string
  query: UseQueryResult
}

/** Shows the loading, error and empty states inside a card. */
export function CardState({ error, loading, query }: CardStateProps) {
  if (query.isError) return <QueryError query={query} message={error} className="m-3" />
  if (!query.isPending) return null
  return (
    <SkeletonGroup label={loading} className="p-4">
      <Skeleton className="h-4 w-2/3" />
      <Skeleton className="mt-2 h-3 w-1/2" />
    </SkeletonGroup>
  )
}
