import { useQuery } from '@tanstack/react-query'
import { Box } from 'lucide-react'
import { Link } from 'react-router'
import { ProductBadge } from '@/components/ui/badge.tsx'
import { Card } from '@/components/ui/card.tsx'
import { EmptyState } from '@/components/ui/empty-state.tsx'
import { ErrorState } from '@/components/ui/error-state.tsx'
import { PartPicture } from '@/components/ui/part-picture.tsx'
import { Skeleton, SkeletonGroup } from '@/components/ui/skeleton.tsx'
import { formatKb, formatTotal } from '@/lib/format.ts'
import { modelsQuery } from '@/lib/model-queries.ts'

const SHOWN = 50
const ROW = 'flex min-h-[68px] items-center gap-3 px-4 py-1.5'

interface ModelListProps {
  modelAddress: (id: string) => string
  libraryAddress: string
}

/** The models that a product can be made of, newest first. */
export function ModelList({ modelAddress, libraryAddress }: ModelListProps) {
  const { data, isPending, isError, error, refetch, isFetching } = useQuery(modelsQuery({ limit: SHOWN }))
  return (
    <Card title="Models in the library" aside={data ? `${formatTotal(data)} in all` : null}>
      {isPending ? <Loading /> : null}
      {isError ? (
        <ErrorState
          message={error.message}
          onRetry={() => void refetch()}
          isRetrying={isFetching}
          className="m-4"
        />
      ) : null}
      {data?.items.length === 0 ? (
        <EmptyState
          className="p-4"
          icon={<Box size={28} strokeWidth={1.4} aria-hidden />}
          title="No STL files found"
          actions={
            <Link to={libraryAddress} className="link">
              Open library
            </Link>
          }
        >
          A product begins with the model it is printed from.
        </EmptyState>
      ) : null}
      <ul className="divide-y divide-line">
        {data?.items.map((model) => (
          <li key={model.id}>
            <Link to={modelAddress(model.id)} className={`${ROW} -outline-offset-2 hover:bg-hover`}>
              <PartPicture src={model.thumbnail_path} className="size-14" />
              <span className="min-w-0 flex-1">
                <bdi className="line-clamp-2 text-left font-medium">{model.title}</bdi>
                <span className="text-caption text-ink-3">{model.license_type}</span>
              </span>
              {model.is_product ? <ProductBadge isOnSurface /> : null}
              <span className="w-24 shrink-0 phone:hidden text-right text-ink-2">
                {formatKb(model.file_size)}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  )
}

const Loading = () => (
  <SkeletonGroup label="Loading the models" className="divide-y divide-line">
    {Array.from({ length: 6 }, (_, index) => (
      <div key={index} className={ROW}>
        <Skeleton className="size-14 rounded-control" />
        <Skeleton className="h-3 w-2/5" />
        <Skeleton className="ml-auto h-3 w-16" />
      </div>
    ))}
  </SkeletonGroup>
)
