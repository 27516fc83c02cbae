import type { LicenseType } from '@pegasus/contracts/licenses'
import { Box, Search, Upload } from 'lucide-react'
import { Button } from '@/components/ui/button.tsx'
import { Card } from '@/components/ui/card.tsx'
import { EmptyState } from '@/components/ui/empty-state.tsx'
import { Skeleton, SkeletonGroup } from '@/components/ui/skeleton.tsx'
import { cardLayout } from './card-layout.ts'
import { type LibraryFilters, NO_FILTERS } from './library-address.ts'
import { useElementBox } from '@/lib/use-element-box.ts'

/** Nothing in the library yet. `onUpload` is absent for people who may not add to it. */
export function EmptyLibrary({ onUpload }: { onUpload: (() => void) | null }) {
  return (
    <Card className="p-4">
      <EmptyState
        icon={<Box size={40} strokeWidth={1} aria-hidden />}
        titleLevel={2}
        title="No STL files found"
        actions={
          onUpload ? (
            <>
              <Button
                variant="primary"
                onClick={onUpload}
                icon={<Upload size={16} strokeWidth={1.75} aria-hidden />}
              >
                Upload STL
              </Button>
              <span className="text-label text-ink-3 touch:hidden">or drop a file anywhere on this page</span>
            </>
          ) : null
        }
      >
        The library keeps every model with its picture, its size, its license and what to beware of.
      </EmptyState>
    </Card>
  )
}

interface NoMatchesProps {
  filters: LibraryFilters
  onApply: (filters: LibraryFilters) => void
}

/** The filters left nothing: names them and takes them away, one or all. */
export function NoMatches({ filters, onApply }: NoMatchesProps) {
  const { search, license } = filters
  return (
    <Card className="p-4">
      <EmptyState
        icon={<Search size={20} strokeWidth={1.75} aria-hidden />}
        titleLevel={2}
        title="No STL files found"
        actions={
          <>
            {search !== '' && license ? (
              <>
                <Button onClick={() => onApply({ search, license: null })}>Clear license filter</Button>
                <Button onClick={() => onApply({ search: '', license })}>Clear search</Button>
              </>
            ) : null}
            <Button
              variant={search !== '' && license ? 'ghost' : 'secondary'}
              onClick={() => onApply(NO_FILTERS)}
            >
              {search !== '' && license ? 'Clear all' : search ? 'Clear search' : 'Clear license filter'}
            </Button>
          </>
        }
      >
        <FilterSentence search={search} license={license} />
      </EmptyState>
    </Card>
  )
}

function FilterSentence({ search, license }: { search: string; license: LicenseType | null }) {
  const name = <strong className="font-semibold text-ink">{license}</strong>
  if (search === '') return <>No model has the license {name}.</>
  const words = (
    <strong className="font-semibold text-ink">
      “<bdi>{search}</bdi>”
    </strong>
  )
  return license ? (
    <>
      No title or description matches {words} among the models with the license {name}.
    </>
  ) : (
    <>No title or description matches {words}.</>
  )
}

const SKELETON_ROWS = 2

/** Cards before they are known, in their exact shape. */
export function LibrarySkeleton() {
  const [ref, { width, isPhone }] = useElementBox<HTMLDivElement>()
  const { isRow, columns, gap } = cardLayout(width, isPhone)
  const count = width === 0 ? 0 : isRow ? 7 : columns * SKELETON_ROWS
  return (
    <SkeletonGroup label="Loading the STL library">
      <div
        ref={ref}
        className="grid phone:-mx-4"
        style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`, gap }}
      >
        {Array.from({ length: count }, (_, i) =>
          isRow ? <SkeletonRow key={i} /> : <SkeletonCard key={i} />,
        )}
      </div>
    </SkeletonGroup>
  )
}

const SkeletonCard = () => (
  <div className="overflow-hidden rounded-card border border-line bg-surface">
    <Skeleton className="aspect-5/4 w-full rounded-none!" />
    <div className="border-t border-line p-3 pl-3.5">
      <Skeleton className="my-[3px] h-3.5 w-2/3" />
      <Skeleton className="mt-2 h-3 w-full" />
      <Skeleton className="mt-1.5 mb-1.5 h-3 w-4/5" />
      <Skeleton className="mt-2.5 h-3 w-3/4" />
      <Skeleton className="mt-2.5 h-5 w-1/2" />
      <div className="mt-2.5 flex h-7 items-center justify-between">
        <Skeleton className="h-3.5 w-24" />
        <Skeleton className="h-7 w-14" />
      </div>
    </div>
  </div>
)

const SkeletonRow = () => (
  <div className="flex gap-3 border-b border-line bg-surface px-4 py-3">
    <Skeleton className="size-18 rounded-control!" />
    <div className="flex-1">
      <Skeleton className="my-[3px] h-3.5 w-2/3" />
      <Skeleton className="mt-2 h-3 w-full" />
      <Skeleton className="mt-2 h-3 w-3/4" />
      <Skeleton className="mt-2.5 h-5 w-1/2" />
    </div>
  </div>
)
