import type { CallOf } from '@pegasus/contracts/endpoint'
import {
  type LinePart,
  UNDO_SHIPMENT_MS,
  cancelOrder,
  completeOrder,
  holdOrder,
  releaseFromOrder,
  reserveForOrder,
  restoreOrder,
  returnToStock,
  shipOrder,
  undoReturn,
  undoShipment,
} from '@pegasus/contracts/orders/order-changes'
import { bulkOrders } from '@pegasus/contracts/orders/bulk-orders'
import { type Order, pieceLines } from '@pegasus/contracts/orders/orders'
import { toastError } from '@/components/toast-error.ts'
import { type ToastAction, toast } from '@/components/ui/overlays/toast-store.ts'
import { callApi } from '@/lib/http/api.ts'
import { subtractShipped } from '@/components/picking/kept-picks.ts'
import { cancelWaitingJob } from '../cancel-waiting-job.ts'
import { useOrderRefresh } from '../use-order-refresh.ts'
import { allocatedParts } from './line-stock.ts'
import { resumeAction, useOrderAction } from './use-order-action.ts'
import { t } from '@/lib/i18n/messages.ts'
import { serverText } from '@/lib/i18n/server-texts.ts'

export type ShipBody = NonNullable<CallOf<typeof shipOrder>['body']>
export type ReturnBody = NonNullable<CallOf<typeof returnToStock>['body']>

/** Duration of a toast that also asks about print jobs. */
const QUESTION_MS = 20_000

const cancelCount = (jobs: number): string =>
  t('Cancel {count}', { count: t('{jobs, plural, one {# print job} other {# print jobs}}', { jobs }) })

const reservedIn = ({ items }: Order): number =>
  pieceLines(items).reduce((sum, line) => sum + line.reserved_quantity, 0)

/**
 * The actions on an order. Each shows its result in a toast, with Undo if that is possible. `ship` and `takeBack` throw
 * on failure, for the dialogs that wait for them. The other actions show a failure themselves.
 */
export function useOrderActions(order: Order) {
  const orderRefresh = useOrderRefresh()
  const refresh = () => void orderRefresh('pieces')
  const { isPending, run, runAndWait } = useOrderAction()
  const params = { id: order.id }
  const undo = (redo: () => void): ToastAction => ({ label: t('Undo'), onSelect: redo })
  const number = order.order_number

  const release = () =>
    run({
      send: () => callApi(releaseFromOrder, { params, body: {} }),
      title: () =>
        t('{reservedIn, plural, one {# piece} other {# pieces}} released from {number}', {
          reservedIn: reservedIn(order),
          number,
        }),
    })
  /** Releases the pieces that the reservation has just reserved. */
  const giveBack = (after: Order) => {
    const before = new Map(pieceLines(order.items).map((line) => [line.id, line.reserved_quantity]))
    const items = pieceLines(after.items).flatMap(({ id, reserved_quantity: reserved }) => {
      const quantity = reserved - (before.get(id) ?? 0)
      return quantity > 0 ? [{ line_id: id, quantity }] : []
    })
    run({
      send: () => callApi(releaseFromOrder, { params, body: { items } }),
      title: () =>
        t('Undone, {sumOf, plural, one {# piece} other {# pieces}} released', { sumOf: sumOf({ items }) }),
    })
  }
  const takeShipmentBack = (shipment: Order['shipments'][number]) =>
    run({
      send: () => callApi(undoShipment, { params, body: { shipment_id: shipment.id } }),
      title: () =>
        t('Shipment {number} of {number2} is undone', { number: shipment.number, number2: number }),
    })
  const takeReturnBack = (returnId: string) =>
    run({
      send: () => callApi(undoReturn, { params, body: { return_id: returnId } }),
      title: () => t('The return of {number} is undone', { number }),
    })
  const resume = () => run(resumeAction(order))

  return {
    isPending,
    reserve: () => {
      const items = allocatedParts(order)
      run({
        send: () => callApi(reserveForOrder, { params, body: { items } }),
        title: () =>
          t('{sumOf, plural, one {# piece} other {# pieces}} reserved for {number}', {
            sumOf: sumOf({ items }),
            number,
          }),
        next: (after) => undo(() => giveBack(after)),
      })
    },
    reserveSome: (body: { items: LinePart[] }, headers: Record<string, string>) =>
      runAndWait({
        send: () => callApi(reserveForOrder, { params, body, headers }),
        title: () =>
          t('{sumOf, plural, one {# piece} other {# pieces}} reserved for {number}', {
            sumOf: sumOf(body),
            number,
          }),
        next: (after) => undo(() => giveBack(after)),
      }),
    release,
    releaseSome: (body: { items: LinePart[] }, headers: Record<string, string>) =>
      runAndWait({
        send: () => callApi(releaseFromOrder, { params, body, headers }),
        title: () =>
          t('{sumOf, plural, one {# piece} other {# pieces}} released from {number}', {
            sumOf: sumOf(body),
            number,
          }),
      }),
    takeShipmentBack,
    resume,
    hold: () =>
      run({
        send: () => callApi(holdOrder, { params }),
        title: () => t('{number} is on hold', { number }),
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
        title: () => t('{number} is cancelled', { number }),
      }),
    /** `onWaiting` gets the ids of the order's print jobs that are not printing, if there are any. */
    complete: (onWaiting: (jobs: readonly string[]) => void) =>
      run({
        send: async () => {
          const after = await callApi(completeOrder, { params, body: { close_short: true } })
          if (after.proposed_cancellations.length > 0) onWaiting(after.proposed_cancellations)
          return after
        },
        title: () => t('{number} is completed', { number }),
      }),
    ship: (body: ShipBody, headers: Record<string, string>) =>
      runAndWait({
        send: async () => {
          const after = await callApi(shipOrder, { params, body, headers })
          subtractShipped(after)
          return after
        },
        title: (after) =>
          after.status === 'completed'
            ? t('{number} is shipped', { number })
            : t('A part of {number} is shipped', { number }),
        next: (after) => {
          const last = after.shipments.at(-1)
          return last ? undo(() => takeShipmentBack(last)) : null
        },
        onlyForMs: UNDO_SHIPMENT_MS,
      }),
    takeBack: (body: ReturnBody, headers: Record<string, string>) => {
      let returnId: string | null = null
      return runAndWait({
        send: async () => {
          const after = await callApi(returnToStock, { params, body, headers })
          returnId = after.return_id
          return after
        },
        title: () =>
          t('{sumOf, plural, one {# piece} other {# pieces}} of {number} taken back', {
            sumOf: sumOf(body),
            number,
          }),
        next: () => {
          const id = returnId
          return id === null ? null : undo(() => takeReturnBack(id))
        },
      })
    },
    undoReturn: takeReturnBack,
    remove: async (leave: () => void) => {
      leave()
      try {
        const result = await callApi(bulkOrders, { body: { ids: [order.id], action: 'delete' } })
        const [refused] = result.failed
        const jobs = result.proposed_cancellations
        if (refused) toast({ title: serverText(refused.detail) })
        else
          toast({
            title: t('{number} deleted', { number }),
            action: undo(() => void restore()),
            ...(jobs.length > 0 && {
              otherAction: { label: cancelCount(jobs.length), onSelect: () => void cancelJobs(jobs) },
              durationMs: QUESTION_MS,
            }),
          })
      } catch (error) {
        toastError(error)
      }
      refresh()
    },
  }

  /** Cancels waiting print jobs, and shows the first refusal, for example of a job that has started since. */
  async function cancelJobs(jobs: readonly string[]): Promise<void> {
    const results = await Promise.allSettled(jobs.map(cancelWaitingJob))
    const refused = results.find((result) => result.status === 'rejected')
    if (refused) toastError(refused.reason)
    else
      toast({
        title: t('{done, plural, one {# print job} other {# print jobs}} cancelled', { done: jobs.length }),
      })
    void orderRefresh('prints')
  }

  async function restore(): Promise<void> {
    try {
      await callApi(restoreOrder, { params })
      toast({ title: t('{number} is back', { number }) })
    } catch (error) {
      toastError(error)
    }
    refresh()
  }
}

const sumOf = ({ items }: { items: readonly { quantity: number }[] }): number =>
  items.reduce((sum, { quantity }) => sum + quantity, 0)
