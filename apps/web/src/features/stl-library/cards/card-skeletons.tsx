import { Skeleton, SkeletonGroup } from '@/components/ui/feedback/skeleton.tsx'
import { useElementBox } from '@/lib/browser/use-element-box.ts'
import { cardLayout } from './card-layout.ts'

const SKELETON_ROWS = 2

/** Skeletons with the exact shape of the cards. */
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

export const SkeletonCard = () => (
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

export const SkeletonRow = () => (
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
