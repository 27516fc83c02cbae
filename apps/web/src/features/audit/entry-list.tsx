import type { AuditEntry } from '@pegasus/contracts/audit'
import type { ShownRows } from '@/components/kit/list-page.tsx'
import { Skeleton, SkeletonGroup } from '@/components/ui/feedback/skeleton.tsx'
import { VirtualList } from '@/components/virtual-rows.tsx'
import { cx } from '@/lib/class-names.ts'
import { formatDayName } from '@/lib/format/format.ts'
import { useElementBox } from '@/lib/browser/use-element-box.ts'
import { useNow } from '@/lib/browser/use-now.ts'
import type { AuditFilters } from './audit-address.ts'
import { EntryRow } from './entry-row.tsx'

const ROW_HEIGHT = 45
const PHONE_ROW_HEIGHT = 77

interface EntryListProps extends ShownRows<AuditEntry> {
  /** Id of the entry whose details are shown. */
  openId: string
  onOpen: (id: string | null) => void
  /** Filters the list by something that an entry mentions. */
  onFilter: (change: Partial<AuditFilters>) => void
}

const isSameDay = (a: string, b: string): boolean => new Date(a).toDateString() === new Date(b).toDateString()

/** Lists the entries, newest first, with a heading for each day. */
export function EntryList(props: EntryListProps) {
  const { items, total, openId, onOpen, onFilter, isStale, hasMore, onMore } = props
  const [ref, box] = useElementBox<HTMLDivElement>()
  const nowMs = useNow()
  return (
    <VirtualList
      ref={ref}
      box={box}
      label="Audit entries"
      isStale={isStale}
      rowCount={items.length}
      estimatedHeight={box.isPhone ? PHONE_ROW_HEIGHT : ROW_HEIGHT}
      layoutKey={box.isPhone ? 'phone' : 'table'}
      hasMore={hasMore}
      onMore={onMore}
    >
      {(index) => {
        const entry = items[index]
        if (!entry) return null
        const [above, below] = [items[index - 1], items[index + 1]]
        const isFirst = !above || !isSameDay(above.at, entry.at)
        const isLast = !below || !isSameDay(below.at, entry.at)
        return (
          <div role="listitem" aria-posinset={index + 1} aria-setsize={total}>
            {isFirst ? (
              <h2 className={cx('pb-2 font-semibold', index > 0 && 'pt-5')}>
                {formatDayName(entry.at, nowMs)}
              </h2>
            ) : null}
            <div
              className={cx(
                'overflow-hidden border-line bg-surface phone:-mx-4 sm:border-x',
                isFirst ? 'border-t sm:rounded-t-card' : 'border-t',
                isLast && 'border-b sm:rounded-b-card',
              )}
            >
              <EntryRow
                entry={entry}
                isOpen={entry.id === openId}
                onToggle={() => onOpen(entry.id === openId ? null : entry.id)}
                onFilter={onFilter}
              />
            </div>
          </div>
        )
      }}
    </VirtualList>
  )
}

/** Placeholder for a list that is loading. */
export const EntryListSkeleton = () => (
  <SkeletonGroup label="Loading the audit">
    <Skeleton className="mb-3 h-3 w-24" />
    <div className="overflow-hidden border-line bg-surface phone:-mx-4 phone:border-y sm:rounded-card sm:border">
      {Array.from({ length: 14 }, (_, index) => (
        <div
          key={index}
          className="flex h-[45px] items-center gap-4 border-line px-4 not-first:border-t phone:h-[77px]"
        >
          <Skeleton className="h-3 w-10" />
          <Skeleton className={cx('h-3', index % 3 === 0 ? 'w-2/5' : 'w-1/4')} />
          <Skeleton className="ml-auto h-3 w-24 phone:hidden" />
        </div>
      ))}
    </div>
  </SkeletonGroup>
)
