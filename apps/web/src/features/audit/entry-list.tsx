import type { AuditEntry } from '@pegasus/contracts/audit'
import { type ReactNode, useId, useMemo, useState } from 'react'
import type { ShownRows } from '@/components/kit/list-page.tsx'
import { Skeleton, SkeletonGroup } from '@/components/ui/feedback/skeleton.tsx'
import { VirtualList } from '@/components/virtual-rows.tsx'
import { cx } from '@/lib/class-names.ts'
import { formatDayName } from '@/lib/format/format.ts'
import { useElementBox } from '@/lib/browser/use-element-box.ts'
import { useNow } from '@/lib/browser/use-now.ts'
import type { AuditFilters } from './audit-address.ts'
import { EntryRow } from './entry-row.tsx'
import { groupEntries } from './group-entries.ts'
import { t } from '@/lib/i18n/messages.ts'

const ROW_HEIGHT = 45
const PHONE_ROW_HEIGHT = 77

interface EntryListProps extends ShownRows<AuditEntry> {
  /** Id of the entry whose details are shown. */
  openId: string
  onOpen: (id: string | null) => void
  /** Filters the list by an actor or an object that an entry mentions. */
  onFilter: (change: Partial<AuditFilters>) => void
}

const isSameDay = (a: string, b: string): boolean => new Date(a).toDateString() === new Date(b).toDateString()

/** Lists the entries, newest first, with a heading for each day. Entries of one request share a row. */
export function EntryList(props: EntryListProps) {
  const { items, total, openId, onOpen, onFilter, isStale, hasMore, onMore } = props
  const [ref, box] = useElementBox<HTMLDivElement>()
  const nowMs = useNow()
  const groups = useMemo(() => groupEntries(items), [items])
  /** Ids of the lead entries whose other entries are shown. */
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set())
  const row = (entry: AuditEntry) => (
    <EntryRow
      entry={entry}
      isOpen={entry.id === openId}
      onToggle={() => onOpen(entry.id === openId ? null : entry.id)}
      onFilter={onFilter}
    />
  )
  return (
    <VirtualList
      ref={ref}
      box={box}
      label={t('Audit entries')}
      isStale={isStale}
      rowCount={groups.length}
      estimatedHeight={box.isPhone ? PHONE_ROW_HEIGHT : ROW_HEIGHT}
      layoutKey={box.isPhone ? 'phone' : 'table'}
      hasMore={hasMore}
      onMore={onMore}
    >
      {(index) => {
        const group = groups[index]
        if (!group) return null
        const { lead, others } = group
        const [above, below] = [groups[index - 1], groups[index + 1]]
        const isFirst = !above || !isSameDay(above.lead.at, lead.at)
        const isLast = !below || !isSameDay(below.lead.at, lead.at)
        const isUnfolded = unfolded.has(lead.id) || others.some(({ id }) => id === openId)
        return (
          <div role="listitem" aria-posinset={group.index + 1} aria-setsize={total}>
            {isFirst ? (
              <h2 className={cx('pb-2 font-semibold', index > 0 && 'pt-5')}>
                {formatDayName(lead.at, nowMs)}
              </h2>
            ) : null}
            <div
              className={cx(
                'overflow-hidden border-line bg-surface phone:-mx-4 sm:border-x',
                isFirst ? 'border-t sm:rounded-t-card' : 'border-t',
                isLast && 'border-b sm:rounded-b-card',
              )}
            >
              {row(lead)}
              {others.length > 0 ? (
                <OtherEntries
                  count={others.length}
                  isOpen={isUnfolded}
                  onToggle={() => setUnfolded((now) => withToggled(now, lead.id))}
                >
                  {others.map((entry) => (
                    <li key={entry.id} className="border-t border-line">
                      {row(entry)}
                    </li>
                  ))}
                </OtherEntries>
              ) : null}
            </div>
          </div>
        )
      }}
    </VirtualList>
  )
}

interface OtherEntriesProps {
  count: number
  isOpen: boolean
  onToggle: () => void
  children: ReactNode
}

/** The other entries of the same request, collapsed below the first one. */
function OtherEntries({ count, isOpen, onToggle, children }: OtherEntriesProps) {
  const listId = useId()
  return (
    <>
      <p className="-mt-1 pb-1.5 ps-31 phone:pb-2 phone:ps-11">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={isOpen ? listId : undefined}
          onClick={onToggle}
          className="link min-h-6 text-label phone:min-h-11 touch:min-h-11"
        >
          {isOpen
            ? t('Hide {count, plural, one {# related change} other {# related changes}}', { count })
            : t('Show {count, plural, one {# related change} other {# related changes}}', { count })}
        </button>
      </p>
      {isOpen ? <ul id={listId}>{children}</ul> : null}
    </>
  )
}

const withToggled = (ids: ReadonlySet<string>, id: string): ReadonlySet<string> =>
  ids.has(id) ? new Set([...ids].filter((each) => each !== id)) : new Set([...ids, id])

/** Placeholder for a list that is loading. */
export const EntryListSkeleton = () => (
  <SkeletonGroup label={t('Loading the audit log')}>
    <Skeleton className="mb-3 h-3 w-24" />
    <div className="overflow-hidden border-line bg-surface phone:-mx-4 phone:border-y sm:rounded-card sm:border">
      {Array.from({ length: 14 }, (_, index) => (
        <div
          key={index}
          className="flex h-[45px] items-center gap-4 border-line px-4 not-first:border-t phone:h-[77px]"
        >
          <Skeleton className="h-3 w-10" />
          <Skeleton className={cx('h-3', index % 3 === 0 ? 'w-2/5' : 'w-1/4')} />
          <Skeleton className="ms-auto h-3 w-24 phone:hidden" />
        </div>
      ))}
    </div>
  </SkeletonGroup>
)
