import type { CallOf } from '@pegasus/contracts/endpoint'
import {
  type LinePart,
  cancelOrder,
  completeOrder,
  deleteOrder,
  holdOrder,
  releaseFromOrder,
  reserveForOrder,
  restoreOrder,
  resumeOrder,
  returnToStock,
  shipOrder,
  undoShipment,
} from '@pegasus/contracts/orders/order-changes'
import { type Order, pieceLines } from '@pegasus/contracts/orders/orders'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { toastError } from '@/components/toast-error.ts'
import { type ToastAction, toast } from '@/components/ui/overlays/toast-store.ts'
import { formatNumberOf } from '@/lib/format/format.ts'
import { callApi } from '@/lib/http/api.ts'
import { subtractShipped } from '../dialogs/kept-picks.ts'
import { ORDERS_KEY, orderQuery } from '../orders.queries.ts'
import { allocatedParts } from './line-stock.ts'

export type ShipBody = NonNullable<CallOf<typeof shipOrder>['body']>
export type ReturnBody = NonNullable<CallOf<typeof returnToStock>['body']>

interface Action {
  send: () => Promise<Order>
  /** Returns the text of the toast after success. */
  title: (after: Order) => string
  next?: (after: Order) => ToastAction | null
}

const reservedIn = ({ items }: Order): number =>
  pieceLines(items).reduce((sum, line) => sum + line.reserved_quantity, 0)

/**
 * The actions on an order. Each shows its result in a toast, with Undo if that is possible. `ship` and `takeBack` throw on
 * failure, for the dialogs that wait for them. The other actions show a failure themselves.
 */
export function useOrderActions(order: Order) {
  const client = useQueryClient()
  const params = { id: order.id }
  const { queryKey } = orderQuery(order.id)
  const refresh = () => {
    // Every action changes the stock, or the pieces that are promised to other orders.
    for (const key of [ORDERS_KEY, 'inventory', 'stats']) void client.invalidateQueries({ queryKey: [key] })
  }
  const announce = (after: Order, { title, next }: Action) => {
    // The response of some actions has additional fields, which do no harm in the cache.
    client.setQueryData(queryKey, after)
    const action = next?.(after)
    toast({ title: title(after), ...(action && { action }) })
  }
  const action = useMutation({
    mutationFn: ({ send }: Action) => send(),
    onSuccess: announce,
    onError: toastError,
    onSettled: refresh,
  })
  const run = (next: Action): void => action.mutate(next)
  const runAndWait = async (next: Action): Promise<void> => {
    announce(await next.send(), next)
    refresh()
  }
  const undo = (redo: () => void): ToastAction => ({ label: 'Undo', onSelect: redo })
  const number = order.order_number

  const release = () =>
    run({
      send: () => callApi(releaseFromOrder, { params, body: {} }),
      title: () => `${formatNumberOf(reservedIn(order), 'piece')} released from ${number}`,
    })
  /** Releases the pieces that were reserved by the action. */
  const giveBack = (after: Order) => {
    const before = new Map(pieceLines(order.items).map((line) => [line.id, line.reserved_quantity]))
    const items = pieceLines(after.items).flatMap(({ id, reserved_quantity: reserved }) => {
      const quantity = reserved - (before.get(id) ?? 0)
      return quantity > 0 ? [{ line_id: id, quantity }] : []
    })
    run({
      send: () => callApi(releaseFromOrder, { params, body: { items } }),
      title: () => `Undone, ${formatNumberOf(sumOf({ items }), 'piece')} released`,
    })
  }
  const takeShipmentBack = (shipment: Order['shipments'][number]) =>
    run({
      send: () => callApi(undoShipment, { params, body: { shipment_id: shipment.id } }),
      title: () => `Shipment ${shipment.number} of ${number} is taken back`,
    })
  const resume = () =>
    run({ send: () => callApi(resumeOrder, { params }), title: () => `${number} is no longer on hold` })

  return {
    isPending: action.isPending,
    reserve: () => {
      const items = allocatedParts(order)
      run({
        send: () => callApi(reserveForOrder, { params, body: { items } }),
        title: () => `${formatNumberOf(sumOf({ items }), 'piece')} reserved for ${number}`,
        next: (after) => undo(() => giveBack(after)),
      })
    },
    reserveSome: (body: { items: LinePart[] }) =>
      runAndWait({
        send: () => callApi(reserveForOrder, { params, body }),
        title: () => `${formatNumberOf(sumOf(body), 'piece')} reserved for ${number}`,
        next: (after) => undo(() => giveBack(after)),
      }),
    release,
    releaseSome: (body: { items: LinePart[] }) =>
      runAndWait({
        send: () => callApi(releaseFromOrder, { params, body }),
        title: () => `${formatNumberOf(sumOf(body), 'piece')} released from ${number}`,
      }),
    takeShipmentBack,
    resume,
    hold: () =>
      run({
        send: () => callApi(holdOrder, { params }),
        title: () => `${number} is on hold`,
        next: () => undo(resume),
      }),
    /** `onWaiting` gets the ids of the order's print jobs that are not printing, if there are any. */
    cancel: (onWaiting: (jobs: readonly string[]) => void) =>
      run({
        send: async () => {
          const after = await callApi(cancelOrder, { params })
          if (after.proposed_cancellations.length > 0) onWaiting(after.proposed_cancellations)
          return after
        },
        title: () => `${number} is cancelled`,
      }),
    complete: () =>
      run({
        send: () => callApi(completeOrder, { params, body: { close_short: true } }),
        title: () => `${number} is completed`,
      }),
    ship: (body: ShipBody, headers: Record<string, string>) =>
      runAndWait({
        send: async () => {
          const after = await callApi(shipOrder, { params, body, headers })
          subtractShipped(after)
          return after
        },
        title: (after) =>
          after.status === 'completed' ? `${number} is shipped` : `A part of ${number} is shipped`,
        next: (after) => {
          const last = after.shipments.at(-1)
          return last ? undo(() => takeShipmentBack(last)) : null
        },
      }),
    takeBack: (body: ReturnBody) =>
      runAndWait({
        send: () => callApi(returnToStock, { params, body }),
        title: () => `${formatNumberOf(sumOf(body), 'piece')} of ${number} taken back`,
      }),
    remove: async (leave: () => void) => {
      leave()
      try {
        await callApi(deleteOrder, { params })
        toast({ title: `${number} deleted`, action: undo(() => void restore()) })
      } catch (error) {
        toastError(error)
      }
      refresh()
    },
  }

  async function restore(): Promise<void> {
    try {
      await callApi(restoreOrder, { params })
      toast({ title: `${number} is back` })
    } catch (error) {
      toastError(error)
    }
    refresh()
  }
}

const sumOf = ({ items }: { items: readonly { quantity: number }[] }): number =>
  items.reduce((sum, { quantity }) => sum + quantity, 0)
