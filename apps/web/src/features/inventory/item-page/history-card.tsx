import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import type { StockMovement } from '@pegasus/contracts/inventory/stock-movements'
import { hasRole } from '@pegasus/contracts/roles'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { ListError } from '@/components/list-error.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { SkeletonLines } from '@/components/ui/feedback/skeleton.tsx'
import { cx } from '@/lib/class-names.ts'
import { formatCount, formatDateTime, formatTotal } from '@/lib/format/format.ts'
import { useCurrentUser } from '@/lib/session/session.ts'
import { useList } from '@/lib/http/use-list.ts'
import { UndoButton } from '@/components/ui/actions/undo-button.tsx'
import { movementsQuery } from '../inventory.queries.ts'
import type { InventoryAddresses } from '../inventory-address.ts'
import { findUndoable, movementDetail, movementTitle, formatSigned } from '../stock/movement-labels.ts'
import { useUndoMovement } from '../stock/use-stock-movements.ts'
import { direction } from '@/lib/i18n/languages.ts'
import { rich, t } from '@/lib/i18n/messages.ts'

interface HistoryCardProps {
  item: InventoryItem
  addresses: InventoryAddresses
}

const SHOWN_FIRST = 15
const NOTHING: ReadonlySet<string> = new Set()

/** The stock movements of an item, newest first. */
export function HistoryCard({ item, addresses }: HistoryCardProps) {
  const { list, items, count, isLoading, isEmpty, paging } = useList(movementsQuery(item.id))
  const canUndo = hasRole(useCurrentUser().role, 'staff')
  const [isWhole, setIsWhole] = useState(false)
  const undoable = canUndo ? findUndoable(items) : NOTHING
  const shown = isWhole ? items : items.slice(0, SHOWN_FIRST)
  const hasOlder = shown.length < items.length || list.hasNextPage
  const showOlder = () => {
    if (isWhole) void paging.onMore()
    setIsWhole(true)
  }
  return (
    <Card title={t('History')} aside={count ? formatTotal(count) : null}>
      <ListError name={t('The history')} list={list} />
      {isLoading ? <SkeletonLines label={t('Loading the history')} /> : null}
      {isEmpty ? <p className="px-4 py-3 text-ink-3">{t('There are no movements yet.')}</p> : null}
      <ol className="divide-y divide-line">
        {shown.map((movement) => (
          <Movement
            key={movement.id}
            movement={movement}
            undo={
              undoable.size > 0 ? (
                <span className="w-18 text-end phone:w-auto">
                  {undoable.has(movement.id) ? <UndoMovement movement={movement} /> : null}
                </span>
              ) : null
            }
            addresses={addresses}
          />
        ))}
      </ol>
      {hasOlder ? (
        <p className="border-t border-line p-3">
          <Button size="sm" isPending={list.isFetchingNextPage} onClick={showOlder}>
            {t('Show older movements')}
          </Button>
        </p>
      ) : null}
    </Card>
  )
}

interface MovementProps {
  movement: StockMovement
  /** The button that undoes the movement. Null if the movement cannot be undone. */
  undo: ReactNode
  addresses: InventoryAddresses
}

function Movement({ movement, undo, addresses }: MovementProps) {
  const { delta, reserved_delta: reserved, actor, created_at: at } = movement
  const { title, reason } = movementTitle(movement)
  const isUndone = movement.undone_by_id !== null
  const detail = movementDetail(movement)
  const hasPieces = delta !== 0 || reserved !== 0
  return (
    <li className="flex items-center gap-x-4 gap-y-1 px-4 py-2.5 phone:flex-wrap">
      <div className="min-w-0 flex-1 phone:basis-3/5">
        <p className={cx('font-medium wrap-anywhere', isUndone && 'text-ink-3 line-through')}>
          {title}
          <Document movement={movement} addresses={addresses} />
          {detail ? (
            <span className="font-normal text-ink-3">
              , <bdi dir={direction}>{detail}</bdi>
            </span>
          ) : null}
        </p>
        {reason ? (
          <p className="text-label text-ink-2 wrap-anywhere" dir="auto">
            {reason}
          </p>
        ) : null}
        <p className="text-caption text-ink-3">
          <time dateTime={at}>{formatDateTime(at)}</time> · <bdi>{actor.name}</bdi>
        </p>
      </div>
      <p className="text-end whitespace-nowrap">
        {hasPieces ? (
          <span className={cx('block font-semibold', isUndone && 'text-ink-3 line-through')}>
            {formatSigned(delta === 0 ? reserved : delta)}
            {delta === 0 ? <span className="font-normal text-ink-3"> {t('reserved')}</span> : null}
          </span>
        ) : null}
        <span className="block text-caption text-ink-3">
          {t('{quantity_after} in stock', { quantity_after: formatCount(movement.quantity_after) })}
        </span>
      </p>
      {undo}
    </li>
  )
}

function Document({ movement: { document }, addresses }: Omit<MovementProps, 'undo'>) {
  if (!document) return null
  const to = document.kind === 'order' ? addresses.order(document.id) : addresses.job(document.id)
  const link = (
    <Link to={to} className="link code">
      {document.name}
    </Link>
  )
  return <> {rich('for {order}', { order: link })}</>
}

function UndoMovement({ movement }: { movement: StockMovement }) {
  const undo = useUndoMovement()
  return (
    <UndoButton isPending={undo.isPending} onClick={() => undo.mutate(movement)}>
      {t('Undo')}
    </UndoButton>
  )
}
