import { CardGridSkeleton } from '@/components/card-grid.tsx'
import { Skeleton, SkeletonText } from '@/components/ui/feedback/skeleton.tsx'
import { cardLayout } from './card-layout.ts'
import { t } from '@/lib/i18n/messages.ts'

const SKELETON_ROWS = 2

/** Placeholders with the exact shape of the cards. */
export const LibrarySkeleton = () => (
  <CardGridSkeleton
    label={t('Loading the STL library')}
    layoutOf={cardLayout}
    countOf={({ isRow, columns }) => (isRow ? 7 : columns * SKELETON_ROWS)}
    className="phone:-mx-4"
  >
    {({ isRow }) => (isRow ? <SkeletonRow /> : <SkeletonCard />)}
  </CardGridSkeleton>
)

export const SkeletonCard = () => (
  <div className="overflow-hidden rounded-card border border-line bg-surface">
    <Skeleton className="aspect-5/4 w-full rounded-none!" />
    <div className="border-t border-line p-3 ps-3.5">
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
    <SkeletonText bars={['my-[3px] h-3.5 w-2/3', 'mt-2 h-3 w-full', 'mt-2 h-3 w-3/4', 'mt-2.5 h-5 w-1/2']} />
  </div>
)
