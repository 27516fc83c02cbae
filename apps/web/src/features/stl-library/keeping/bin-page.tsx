import { hasRole } from '@pegasus/contracts/roles'
import type { StlFile } from '@pegasus/contracts/stl-files'
import { ArrowLeft, Trash2, Undo2 } from 'lucide-react'
import { Link, useSearchParams } from 'react-router'
import { knownTotal } from '@/components/card-grid.tsx'
import { type Column, DataTable, TableSkeleton } from '@/components/data-table.tsx'
import { ListError } from '@/components/list-error.tsx'
import { Button, buttonClass } from '@/components/ui/button.tsx'
import { Card } from '@/components/ui/card.tsx'
import { EmptyState } from '@/components/ui/empty-state.tsx'
import { formatDate, formatDateTime, formatKb, formatNumberOf, formatTotal } from '@/lib/format.ts'
import { useCurrentUser } from '@/lib/session.ts'
import { useList } from '@/lib/use-list.ts'
import { useNow } from '@/lib/use-now.ts'
import { withBin } from '../library-address.ts'
import { binQuery, useRestoreModel } from './keeping.queries.ts'
import { daysLeft, removalOf } from '@/lib/bin-days.ts'

const ROW_HEIGHT = 60
const PHONE_ROW_HEIGHT = 88

/** What was deleted in the last 30 days, and the way back. */
export function BinPage() {
  const [params] = useSearchParams()
  const nowMs = useNow()
  const canRestore = hasRole(useCurrentUser().role, 'staff')
  const { list, items, count, isLoading, isEmpty, paging } = useList(binQuery)
  const backTo = `?${withBin(params, false)}`
  const restoreButton = (model: StlFile) => (canRestore ? <RestoreButton model={model} /> : null)
  return (
    <>
      <div className="-mt-1 mb-3.5 flex flex-wrap items-center gap-x-2 gap-y-1">
        <Link to={backTo} className={`${buttonClass({ variant: 'ghost', size: 'sm' })} -ml-2`}>
          <ArrowLeft size={16} strokeWidth={1.75} aria-hidden />
          STL Library
        </Link>
        <h1 className="text-page font-[620]">Bin</h1>
        <p role="status" className="ml-1 text-ink-3">
          {count && !isEmpty
            ? count.isTotalCapped
              ? `${formatTotal(count)} files`
              : formatNumberOf(count.total, 'file')
            : ''}
        </p>
        <p className="w-full text-label text-ink-2">
          Deleted models stay here for 30 days; those that something still uses stay longer.
        </p>
      </div>
      <ListError name="The bin" list={list} />
      {isLoading ? (
        <TableSkeleton
          label="Loading the bin"
          rowHeight={ROW_HEIGHT}
          phoneRowHeight={PHONE_ROW_HEIGHT}
          hasPictures={false}
        />
      ) : null}
      {isEmpty ? (
        <Card className="p-4">
          <EmptyState
            icon={<Trash2 size={28} strokeWidth={1.25} aria-hidden />}
            titleLevel={2}
            title="The bin is empty"
          >
            Models that are deleted can be taken back from here for 30 days.
          </EmptyState>
        </Card>
      ) : null}
      {items.length > 0 ? (
        <DataTable
          {...paging}
          label="Deleted models"
          columns={binColumns(nowMs, restoreButton, canRestore)}
          rows={items}
          total={knownTotal(count ?? undefined)}
          rowHeight={ROW_HEIGHT}
          phoneRowHeight={PHONE_ROW_HEIGHT}
          phoneRow={(model) => (
            <div className="flex items-center gap-3 px-4 py-3">
              <div className="min-w-0 flex-1">
                <Name model={model} />
                <p className="mt-1 text-label text-ink-2">
                  <Removal model={model} nowMs={nowMs} />
                </p>
              </div>
              {restoreButton(model)}
            </div>
          )}
        />
      ) : null}
    </>
  )
}

function binColumns(
  nowMs: number,
  restoreButton: (model: StlFile) => React.ReactNode,
  canRestore: boolean,
): Column<StlFile>[] {
  return [
    { id: 'name', head: 'Model', track: 'minmax(0, 2fr)', cell: (model) => <Name model={model} /> },
    {
      id: 'size',
      head: 'Size',
      track: '110px',
      isNumber: true,
      from: 760,
      cell: (model) => formatKb(model.file_size),
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
      cell: (model) => <Removal model={model} nowMs={nowMs} />,
    },
    ...(canRestore
      ? [{ id: 'actions', head: 'Actions', track: '108px', isNumber: true, cell: restoreButton }]
      : []),
  ]
}

const Name = ({ model }: { model: StlFile }) => (
  <>
    <p className="truncate font-medium" title={model.title}>
      <bdi>{model.title}</bdi>
    </p>
    <p className="truncate text-caption text-ink-3" title={model.file_name}>
      <bdi>{model.file_name}</bdi> · {model.license_type}
    </p>
  </>
)

function Removal({ model, nowMs }: { model: StlFile; nowMs: number }) {
  if (!model.deleted_at) return null
  const removal = removalOf(model.deleted_at)
  return (
    <>
      <time dateTime={removal}>{formatDate(removal)}</time>
      <span className="text-ink-3">, {daysLeft(removal, nowMs)}</span>
    </>
  )
}

function RestoreButton({ model }: { model: StlFile }) {
  const restore = useRestoreModel()
  return (
    <Button
      size="sm"
      icon={<Undo2 size={14} strokeWidth={1.75} aria-hidden />}
      aria-label={`Restore ${model.title}`}
      isPending={restore.isPending}
      onClick={() => restore.mutate(model)}
    >
      Restore
    </Button>
  )
}
