import type { InventoryItem } from '@pegasus/contracts/inventory'
import { hasRole } from '@pegasus/contracts/roles'
import { ArrowLeft, Trash2, Undo2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, useSearchParams } from 'react-router'
import { knownTotal } from '@/components/card-grid.tsx'
import { type Column, DataTable, TableSkeleton } from '@/components/data-table.tsx'
import { ListError } from '@/components/list-error.tsx'
import { Button, buttonClass } from '@/components/ui/button.tsx'
import { Card } from '@/components/ui/card.tsx'
import { EmptyState } from '@/components/ui/empty-state.tsx'
import { PartPicture } from '@/components/ui/part-picture.tsx'
import { daysLeft, removalOf } from '@/lib/bin-days.ts'
import { formatCount, formatDate, formatDateTime, formatNumberOf, formatTotal } from '@/lib/format.ts'
import { useCurrentUser } from '@/lib/session.ts'
import { useList } from '@/lib/use-list.ts'
import { useNow } from '@/lib/use-now.ts'
import { binQuery } from '../inventory.queries.ts'
import { withView } from '../inventory-address.ts'
import { useRestoreItem } from './use-keeping.ts'

const ROW_HEIGHT = 68
const PHONE_ROW_HEIGHT = 92

/** Items that were deleted in the last 30 days, and the way back. */
export function BinPage() {
  const [params] = useSearchParams()
  const nowMs = useNow()
  const canRestore = hasRole(useCurrentUser().role, 'staff')
  const { list, items, count, isLoading, isEmpty, paging } = useList(binQuery)
  const restoreButton = (item: InventoryItem) => (canRestore ? <RestoreButton item={item} /> : null)
  return (
    <>
      <div className="-mt-1 mb-3.5 flex flex-wrap items-center gap-x-2 gap-y-1">
        <Link
          to={`?${withView(params, null)}`}
          className={`${buttonClass({ variant: 'ghost', size: 'sm' })} -ml-2`}
        >
          <ArrowLeft size={16} strokeWidth={1.75} aria-hidden />
          Inventory
        </Link>
        <h1 className="text-page font-[620]">Bin</h1>
        <p role="status" className="ml-1 text-ink-3">
          {count && !isEmpty
            ? count.isTotalCapped
              ? `${formatTotal(count)} items`
              : formatNumberOf(count.total, 'item')
            : ''}
        </p>
        <p className="w-full text-label text-ink-2">
          Deleted items stay here for 30 days, with their stock and its history.
        </p>
      </div>
      <ListError name="The bin" list={list} />
      {isLoading ? (
        <TableSkeleton label="Loading the bin" rowHeight={ROW_HEIGHT} phoneRowHeight={PHONE_ROW_HEIGHT} />
      ) : null}
      {isEmpty ? (
        <Card className="p-4">
          <EmptyState
            icon={<Trash2 size={28} strokeWidth={1.25} aria-hidden />}
            titleLevel={2}
            title="The bin is empty"
          >
            Items that are deleted can be taken back from here for 30 days.
          </EmptyState>
        </Card>
      ) : null}
      {items.length > 0 ? (
        <DataTable
          {...paging}
          label="Deleted items"
          columns={binColumns(nowMs, canRestore ? restoreButton : null)}
          rows={items}
          total={knownTotal(count ?? undefined)}
          rowHeight={ROW_HEIGHT}
          phoneRowHeight={PHONE_ROW_HEIGHT}
          phoneRow={(item) => (
            <div className="flex items-center gap-3 px-4 py-3">
              <div className="min-w-0 flex-1">
                <Name item={item} />
                <p className="mt-1 text-label text-ink-2">
                  <Removal item={item} nowMs={nowMs} />
                </p>
              </div>
              {restoreButton(item)}
            </div>
          )}
        />
      ) : null}
    </>
  )
}

function binColumns(
  nowMs: number,
  restoreButton: ((item: InventoryItem) => ReactNode) | null,
): Column<InventoryItem>[] {
  return [
    { id: 'name', head: 'Item', track: 'minmax(0, 2fr)', cell: (item) => <Name item={item} /> },
    {
      id: 'quantity',
      head: 'Quantity',
      track: '100px',
      isNumber: true,
      from: 760,
      cell: ({ quantity }) => formatCount(quantity),
    },
    {
      id: 'deleted',
      head: 'Deleted',
      track: '190px',
      from: 900,
      cell: ({ deleted_at: at }) => (at ? <time dateTime={at}>{formatDateTime(at)}</time> : null),
    },
    {
      id: 'removal',
      head: 'Removed for good',
      track: '210px',
      cell: (item) => <Removal item={item} nowMs={nowMs} />,
    },
    ...(restoreButton
      ? [{ id: 'actions', head: 'Actions', track: '108px', isNumber: true, cell: restoreButton }]
      : []),
  ]
}

const Name = ({ item }: { item: InventoryItem }) => (
  <div className="flex items-center gap-2.5">
    <PartPicture
      src={item.stl_thumbnail_path}
      tint={item.color_hex}
      className="size-14 opacity-75 phone:hidden"
    />
    <div className="min-w-0">
      <p className="truncate font-medium" title={item.name}>
        <bdi>{item.name}</bdi>
      </p>
      <p className="truncate text-caption text-ink-3 code">{item.sku}</p>
    </div>
  </div>
)

function Removal({ item, nowMs }: { item: InventoryItem; nowMs: number }) {
  if (!item.deleted_at) return null
  const removal = removalOf(item.deleted_at)
  return (
    <>
      <time dateTime={removal}>{formatDate(removal)}</time>
      <span className="text-ink-3">, {daysLeft(removal, nowMs)}</span>
    </>
  )
}

function RestoreButton({ item }: { item: InventoryItem }) {
  const restore = useRestoreItem()
  return (
    <Button
      size="sm"
      icon={<Undo2 size={14} strokeWidth={1.75} aria-hidden />}
      aria-label={`Restore ${item.name}`}
      isPending={restore.isPending}
      onClick={() => restore.mutate(item)}
    >
      Restore
    </Button>
  )
}
