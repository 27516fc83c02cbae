import { TRASH_DAYS } from '@pegasus/contracts/fields'
import { hasRole } from '@pegasus/contracts/roles'
import { Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { daysLeft, removalOf } from '@/lib/format/trash-days.ts'
import { formatDate, formatDateTime, formatTotal } from '@/lib/format/format.ts'
import { type listQuery, useList } from '@/lib/http/use-list.ts'
import { useNow } from '@/lib/browser/use-now.ts'
import { useSession } from '@/lib/session/session.ts'
import { knownTotal } from './card-grid.tsx'
import { type Column, DataTable, TableSkeleton } from './data-table.tsx'
import { ListError } from './list-error.tsx'
import { Card } from './ui/display/card.tsx'
import { EmptyState } from './ui/feedback/empty-state.tsx'
import { PartPicture } from './ui/display/part-picture.tsx'
import { BackLink } from './ui/actions/back-link.tsx'
import { UndoButton } from './ui/actions/undo-button.tsx'
import { t } from '@/lib/i18n/messages.ts'
import { type Noun, NOUNS } from '@/lib/i18n/nouns.ts'

const ROW_HEIGHT = 68
const PHONE_ROW_HEIGHT = 92

interface Trashed {
  id: string
  deleted_at: string | null
}

interface TrashViewProps<Thing extends Trashed> {
  query: ReturnType<typeof listQuery<Thing>>
  /** The list that the objects belong to: its address, its name, and the noun for its entries. */
  list: { to: string; name: string; one: Noun }
  /** A sentence that says which data is kept with the deleted objects. */
  note: string
  columns?: readonly Column<Thing>[]
  nameOf: (thing: Thing) => string
  /** Returns the picture of an object. Leave it out if the objects have no pictures. */
  pictureOf?: (thing: Thing) => { src: string | null; tint?: string | null }
  row: (thing: Thing) => ReactNode
  /** Called by a button that is shown to staff and higher roles. */
  onRestore: (thing: Thing) => void
  /** Id of the object that is being restored. */
  restoringId?: string | null | undefined
}

/** Shows everything that was deleted in the last 30 days, with buttons to restore it. */
export function TrashView<Thing extends Trashed>(props: TrashViewProps<Thing>) {
  const { query, list, note, columns = [], nameOf, pictureOf, row } = props
  const { one, many, count: countOf } = NOUNS[list.one]
  const { onRestore, restoringId } = props
  // The user is null in the gallery, which has no session.
  const { user } = useSession()
  const canRestore = user !== null && hasRole(user.role, 'staff')
  const nowMs = useNow()
  const { items, count, isLoading, isEmpty, paging, ...loaded } = useList(query)
  const restoreButton = (thing: Thing) =>
    canRestore ? (
      <UndoButton
        aria-label={t('Restore {thing}', { thing: nameOf(thing) })}
        isPending={restoringId === thing.id}
        onClick={() => onRestore(thing)}
      >
        {t('Restore')}
      </UndoButton>
    ) : null
  const picture = (thing: Thing) =>
    pictureOf ? <PartPicture {...pictureOf(thing)} className="size-14 opacity-75" /> : null
  return (
    <>
      <div className="-mt-1 mb-3.5 flex flex-wrap items-center gap-x-2 gap-y-1">
        <BackLink to={list.to}>{list.name}</BackLink>
        <h1 className="text-page font-[620]">{t('Trash')}</h1>
        <p role="status" className="ms-1 text-ink-3">
          {count && !isEmpty
            ? count.isTotalCapped
              ? `${formatTotal(count)} ${many}`
              : countOf(count.total)
            : ''}
        </p>
        <p className="w-full text-label text-ink-2">
          {t('Deleted {many} stay here for {TRASH_DAYS} days, {note}.', { many, TRASH_DAYS, note })}
        </p>
      </div>
      <ListError name={t('The trash')} list={loaded.list} />
      {isLoading ? (
        <TableSkeleton
          label={t('Loading the trash')}
          rowHeight={ROW_HEIGHT}
          phoneRowHeight={PHONE_ROW_HEIGHT}
        />
      ) : null}
      {isEmpty ? (
        <Card className="p-4">
          <EmptyState
            icon={<Trash2 size={28} strokeWidth={1.25} aria-hidden />}
            titleLevel={2}
            title={t('The trash is empty')}
          >
            {t('Deleted {many} can be restored here for {TRASH_DAYS} days.', { many, TRASH_DAYS })}
          </EmptyState>
        </Card>
      ) : null}
      {items.length > 0 ? (
        <DataTable
          {...paging}
          label={t('Deleted {many}', { many })}
          columns={[
            {
              id: 'name',
              head: one.charAt(0).toUpperCase() + one.slice(1),
              track: 'minmax(0, 2fr)',
              cell: (thing) => (
                <div className="flex min-w-0 items-center gap-2.5">
                  {picture(thing)}
                  <div className="min-w-0 flex-1">{row(thing)}</div>
                </div>
              ),
            },
            ...columns,
            {
              id: 'deleted',
              head: t('Deleted'),
              track: '190px',
              from: 900,
              cell: ({ deleted_at: at }) => (at ? <time dateTime={at}>{formatDateTime(at)}</time> : null),
            },
            {
              id: 'removal',
              head: t('Removed for good'),
              track: '210px',
              cell: (thing) => <Removal thing={thing} nowMs={nowMs} />,
            },
            ...(canRestore
              ? [{ id: 'actions', head: t('Actions'), track: '108px', isNumber: true, cell: restoreButton }]
              : []),
          ]}
          rows={items}
          total={knownTotal(count ?? undefined)}
          rowHeight={ROW_HEIGHT}
          phoneRowHeight={PHONE_ROW_HEIGHT}
          phoneRow={(thing) => (
            <div className="flex items-center gap-3 px-4 py-3">
              {picture(thing)}
              <div className="min-w-0 flex-1">
                {row(thing)}
                <p className="mt-1 text-label text-ink-2">
                  <Removal thing={thing} nowMs={nowMs} />
                </p>
              </div>
              {restoreButton(thing)}
            </div>
          )}
        />
      ) : null}
    </>
  )
}

function Removal({ thing, nowMs }: { thing: Trashed; nowMs: number }) {
  if (!thing.deleted_at) return null
  const removal = removalOf(thing.deleted_at)
  return (
    <>
      <time dateTime={removal}>{formatDate(removal)}</time>
      <span className="text-ink-3">, {daysLeft(removal, nowMs)}</span>
    </>
  )
}
