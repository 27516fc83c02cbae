import {
  type BulkOrdersResult,
  MAX_BULK_ORDERS,
  type OrderBulkAction,
  bulkOrders,
} from '@pegasus/contracts/orders/bulk-orders'
import { UNDO_SHIPMENT_MS, undoShipment } from '@pegasus/contracts/orders/order-changes'
import { type Order, pieceLines } from '@pegasus/contracts/orders/orders'
import { getPackingSlips } from '@pegasus/contracts/orders/papers'
import { isFinishedOrder, isOpenOrder } from '@pegasus/contracts/statuses'
import { useMutation } from '@tanstack/react-query'
import { Ban, Ellipsis, FileText, PackageCheck, PackageOpen, Pause, Play, Truck } from 'lucide-react'
import { useState } from 'react'
import { SelectionAction, SelectionBar } from '@/components/selection/selection-bar.tsx'
import { toastError } from '@/components/toast-error.ts'
import { Button } from '@/components/ui/actions/button.tsx'
import { DropdownMenu, MenuItem, MenuSeparator } from '@/components/ui/actions/dropdown-menu.tsx'
import { Dialog } from '@/components/ui/overlays/dialog.tsx'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { useBulkDelete } from '@/components/selection/use-bulk-delete.ts'
import { type Selection, useSelection } from '@/components/selection/use-selection.ts'
import { saveFile } from '@/lib/browser/save-file.ts'
import { formatCount, formatDue } from '@/lib/format/format.ts'
import { callApi, callForBytes } from '@/lib/http/api.ts'
import { errorMessage } from '@/lib/http/api-error.ts'
import { useRetriedSend } from '@/lib/http/use-retry-key.ts'
import { useNow } from '@/lib/browser/use-now.ts'
import { totalsOf } from './totals-of.ts'
import { packingSlipStyle } from '@/lib/browser/packing-slip-style.ts'
import { useOrderRefresh } from '../use-order-refresh.ts'
import { ICON } from '@/components/ui/icon-props.ts'
import { t } from '@/lib/i18n/messages.ts'

export const useOrderSelection = (): Selection<Order> => useSelection<Order>('order', MAX_BULK_ORDERS)

/** Returns the function that runs an action for many orders. */
function useBulkCall(): (ids: string[], action: OrderBulkAction) => Promise<BulkOrdersResult> {
  const send = useRetriedSend((body: { ids: string[]; action: OrderBulkAction }, headers) =>
    callApi(bulkOrders, { body, headers }),
  )
  return (ids, action) => send({ ids, action })
}

/** Orders that were cancelled or deleted together, and their print jobs that are not printing. */
export interface CancelledOrders {
  what: string
  jobs: readonly string[]
}

interface OrderSelectionBarProps {
  selection: Selection<Order>
  /** The loaded orders in their current state. A selected order may have changed since its selection. */
  listed: readonly Order[]
  /** Called if cancelled or deleted orders have print jobs that are not printing. */
  onCancelled: (orders: CancelledOrders) => void
}

const DONE: Readonly<Record<OrderBulkAction, (count: number) => string>> = {
  reserve: (count) => t('{count, plural, one {# order} other {# orders}} reserved', { count }),
  release: (count) => t('{count, plural, one {# order} other {# orders}} released', { count }),
  ship: (count) => t('{count, plural, one {# order} other {# orders}} shipped', { count }),
  hold: (count) => t('{count, plural, one {# order} other {# orders}} put on hold', { count }),
  resume: (count) => t('{count, plural, one {# order} other {# orders}} resumed', { count }),
  cancel: (count) => t('{count, plural, one {# order} other {# orders}} cancelled', { count }),
  delete: (count) => t('{count, plural, one {# order} other {# orders}} deleted', { count }),
  restore: (count) => t('{count, plural, one {# order} other {# orders}} restored', { count }),
}

/** Maps an action to the action that undoes it. */
const UNDONE_BY: Partial<Record<OrderBulkAction, OrderBulkAction>> = { hold: 'resume', resume: 'hold' }

const reservedIn = ({ items }: Order): number =>
  pieceLines(items).reduce((sum, line) => sum + line.reserved_quantity, 0)

interface BulkRun {
  action: OrderBulkAction
  ids: string[]
  /** The orders by id, if a person selected them. */
  orders?: ReadonlyMap<string, Order>
  isUndo?: boolean
}

/** Duration of a toast that says for which order an Undo failed, and why. */
const REFUSAL_MS = 15_000

/** A shipment of an order, with the number of the order. */
type ShippedOrder = BulkOrdersResult['shipments'][number] & { order_number: string }

/** Undoes the shipments of several orders, and names the first order whose shipment cannot be undone. */
const useUndoShipments = (refresh: () => void) =>
  useMutation({
    mutationFn: async (shipments: readonly ShippedOrder[]) => {
      const results = await Promise.allSettled(
        shipments.map(({ order_id: id, shipment_id }) =>
          callApi(undoShipment, { params: { id }, body: { shipment_id } }),
        ),
      )
      const refused = results.flatMap((result, index) =>
        result.status === 'rejected'
          ? [{ number: shipments[index]?.order_number ?? '', error: result.reason as unknown }]
          : [],
      )
      const undone = shipments.length - refused.length
      const [first] = refused
      toast({
        title: first
          ? t('{undone} of {all} shipments undone. {number}: {reason}', {
              undone,
              all: shipments.length,
              number: first.number,
              reason: errorMessage(first.error, t('That could not be undone. Please try again.')),
            })
          : t('{undone, plural, one {# shipment} other {# shipments}} undone', { undone }),
        ...(first && { durationMs: REFUSAL_MS }),
      })
    },
    onSettled: refresh,
  })

/**
 * Runs an action for the selected orders. Orders for which the action fails stay selected, each with its
 * reason.
 */
function useOrderBulk({ selection, onCancelled }: Omit<OrderSelectionBarProps, 'listed'>) {
  const orderRefresh = useOrderRefresh()
  const refresh = () => void orderRefresh('pieces')
  const runBulk = useBulkCall()
  const deletion = useBulkDelete({
    selection,
    one: 'order',
    undone: (count) => t('{count} back in the list', { count }),
    remove: async (all) => {
      const result = await runBulk(all, 'delete')
      const what = t('{changed, plural, one {# order} other {# orders}}', { changed: result.changed.length })
      if (result.proposed_cancellations.length > 0) onCancelled({ what, jobs: result.proposed_cancellations })
      return result
    },
    restore: (all) => runBulk(all, 'restore'),
    refresh,
  })
  const undoShipments = useUndoShipments(refresh)
  const run = useMutation({
    mutationFn: ({ action, ids }: BulkRun) => runBulk(ids, action),
    onSuccess: (
      { changed, failed, partly_reserved: partly, shipments, proposed_cancellations: jobs },
      { action, orders, isUndo = false },
    ) => {
      // An undo does not change the selection, because people may have selected other orders since.
      if (!isUndo) selection.keep(failed.map(({ id }) => id))
      const what = t('{changed, plural, one {# order} other {# orders}}', { changed: changed.length })
      const undo = isUndo ? undefined : UNDONE_BY[action]
      if (changed.length > 0)
        toast({
          title:
            partly.length > 0
              ? t('{done}, {partly} in part', {
                  done: DONE[action](changed.length),
                  partly: formatCount(partly.length),
                })
              : DONE[action](changed.length),
          ...(undo && {
            action: {
              label: t('Undo'),
              onSelect: () => run.mutate({ action: undo, ids: changed, isUndo: true }),
            },
          }),
          ...(shipments.length > 0 && {
            action: {
              label: t('Undo'),
              onSelect: () =>
                undoShipments.mutate(
                  shipments.map((each) => ({
                    ...each,
                    order_number: orders?.get(each.order_id)?.order_number ?? '',
                  })),
                ),
            },
            durationMs: UNDO_SHIPMENT_MS,
            endsOnTime: true,
          }),
        })
      if (jobs.length > 0) onCancelled({ what, jobs })
    },
    onError: toastError,
    onSettled: refresh,
  })
  const { things } = selection
  const nowMs = useNow()
  const failed = (run.data?.failed ?? [])
    .filter(({ id }) => things.has(id))
    .map(({ id, detail, promised_to: other }) => ({
      id,
      detail: other?.due_at
        ? t('{detail} {order_number} is due {due_at}.', {
            detail,
            order_number: other.order_number,
            due_at: formatDue(other.due_at, nowMs),
          })
        : detail,
    }))
  return {
    run: (action: OrderBulkAction) => run.mutate({ action, ids: [...things.keys()], orders: things }),
    isRunning: (action: OrderBulkAction) => run.isPending && run.variables.action === action,
    deletion: { ...deletion, failed: failed.length > 0 ? failed : deletion.failed },
  }
}

/** The actions for the selected orders. An action is shown if it is possible for at least one of them. */
export function OrderSelectionBar(props: OrderSelectionBarProps) {
  const { selection, listed } = props
  const { run, isRunning, deletion } = useOrderBulk(props)
  const now = new Map(listed.map((order) => [order.id, order]))
  const orders = [...selection.things.values()].map((order) => now.get(order.id) ?? order)
  const [isAsking, setIsAsking] = useState(false)
  const slips = useMutation({
    mutationFn: async () => {
      const ids = [...selection.things.keys()]
      const answer = await callForBytes(getPackingSlips, { body: { ids, ...packingSlipStyle() } })
      saveFile(await answer.blob(), 'packing-slips.pdf')
    },
    onError: toastError,
  })
  const item = (label: string, Icon: typeof Pause, action: OrderBulkAction, isPossible: boolean) =>
    isPossible ? (
      <MenuItem icon={<Icon {...ICON} />} onSelect={() => run(action)}>
        {label}
      </MenuItem>
    ) : null
  return (
    <SelectionBar
      selection={selection}
      one="order"
      nameOf={(order) => order.order_number}
      sum={totalsOf(orders)}
      deletion={deletion}
    >
      <SelectionAction
        icon={<PackageCheck {...ICON} />}
        isPending={isRunning('reserve')}
        onClick={() => run('reserve')}
      >
        {t('Reserve')}
      </SelectionAction>
      <SelectionAction
        icon={<FileText {...ICON} />}
        isPending={slips.isPending}
        onClick={() => slips.mutate()}
      >
        {t('Packing slips')}
      </SelectionAction>
      <SelectionAction icon={<Truck {...ICON} />} isPending={isRunning('ship')} onClick={() => run('ship')}>
        {t('Ship')}
      </SelectionAction>
      <DropdownMenu
        trigger={
          <Button variant="ghost" className="phone:order-2" icon={<Ellipsis {...ICON} />}>
            {t('More')}
          </Button>
        }
      >
        {item(
          t('Release reserved pieces'),
          PackageOpen,
          'release',
          orders.some((order) => reservedIn(order) > 0),
        )}
        {item(
          t('Hold'),
          Pause,
          'hold',
          orders.some(({ status }) => isOpenOrder(status)),
        )}
        {item(
          t('Resume'),
          Play,
          'resume',
          orders.some(({ status }) => status === 'on_hold'),
        )}
        <MenuSeparator />
        <MenuItem icon={<Ban {...ICON} />} isDanger onSelect={() => setIsAsking(true)}>
          {t('Cancel orders')}
        </MenuItem>
      </DropdownMenu>
      {isAsking ? (
        <CancelQuestion orders={orders} onConfirm={() => run('cancel')} onClose={() => setIsAsking(false)} />
      ) : null}
    </SelectionBar>
  )
}

interface CancelQuestionProps {
  orders: readonly Order[]
  onConfirm: () => void
  onClose: () => void
}

/**
 * Asks for confirmation before orders are cancelled, because there is no Undo. It names the orders and the
 * consequences.
 */
function CancelQuestion({ orders, onConfirm, onClose }: CancelQuestionProps) {
  const ending = orders.filter(({ status }) => !isFinishedOrder(status))
  const reserved = ending.reduce((sum, order) => sum + reservedIn(order), 0)
  const finishedCount = orders.length - ending.length
  const count = t('{ending, plural, one {# order} other {# orders}}', { ending: ending.length })
  return (
    <Dialog
      isOpen
      onClose={onClose}
      size="sm"
      title={ending.length === 0 ? t('No order to cancel') : t('Cancel {count}?', { count })}
      footer={
        <>
          <Button onClick={onClose}>{t('Back')}</Button>
          {ending.length > 0 ? (
            <Button
              variant="danger"
              onClick={() => {
                onConfirm()
                onClose()
              }}
            >
              {t('Cancel {count}', { count })}
            </Button>
          ) : null}
        </>
      }
    >
      {ending.length > 0 ? (
        <>
          <p className="max-h-24 overflow-y-auto code">
            {ending.map(({ order_number: number }) => number).join(', ')}
          </p>
          <p className="mt-2 text-ink-2">
            {t(
              'No more pieces will be shipped for {ending, plural, one {it} other {them}}.{reserved, plural, =0 {} one { # reserved piece becomes free.} other { # reserved pieces become free.}} You can then choose what happens to print jobs that are not printing.',
              { ending: ending.length, reserved },
            )}
          </p>
        </>
      ) : null}
      {finishedCount > 0 ? (
        <p className="mt-2 text-ink-2">
          {t(
            '{others, plural, one {# order} other {# orders}} {others, plural, one {is} other {are}} completed or cancelled already, and {others, plural, one {stays} other {stay}} as {others, plural, one {it is} other {they are}}.',
            { others: finishedCount },
          )}
        </p>
      ) : null}
    </Dialog>
  )
}
