import { Skeleton, SkeletonGroup } from '@/components/ui/feedback/skeleton.tsx'
import { t } from '@/lib/i18n/messages.ts'

/** Height of each chart with its axis, in pixels. */
export const CHARTS_HEIGHT = 196

export const CHARTS_GRID =
  'grid gap-4 phone:gap-3 md:grid-cols-2 min-[77.5rem]:grid-cols-[minmax(0,1.4fr)_minmax(0,1fr)_minmax(0,1fr)_minmax(0,1fr)]'

export const ChartsSkeleton = () => (
  <SkeletonGroup label={t('Loading the charts')} className={CHARTS_GRID}>
    {Array.from({ length: 4 }, (_, index) => (
      <div key={index} className="rounded-card border border-line bg-surface">
        <div className="flex h-[45px] items-center border-b border-line px-4">
          <Skeleton className="h-3 w-40 max-w-2/3" />
        </div>
        <div className="px-4 pt-3.5 pb-3">
          <div className="flex items-end gap-1 pb-[22px]" style={{ height: CHARTS_HEIGHT }}>
            {Array.from({ length: 14 }, (_, bar) => (
              <span key={bar} className="flex h-full flex-1 items-end">
                <Skeleton className={bar % 3 === 0 ? 'h-2/5 w-full' : 'h-3/5 w-full'} />
              </span>
            ))}
          </div>
        </div>
      </div>
    ))}
  </SkeletonGroup>
)
