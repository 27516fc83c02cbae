import { type Order, type OrderLine, type SetPart, pieceLines } from '@pegasus/contracts/orders/orders'
import { useState } from 'react'
import { FormDialog } from '@/components/kit/form-dialog.tsx'
import { AlertBox } from '@/components/ui/feedback/alert-box.tsx'
import { Checkbox } from '@/components/ui/forms/checkbox.tsx'
import type { FormText, ReadResult } from '@/lib/forms/form-merge.ts'
import { useNewForm } from '@/lib/forms/use-text-form.ts'
import { typedNumber } from '@/lib/forms/typed-number.ts'
import { formatCount } from '@/lib/format/format.ts'
import { type CountedLine, LineCounts, readCounts } from './line-counts.tsx'
import {
  type Picked,
  lastShipmentOf,
  leftOf,
  pickable,
  shippedAfter,
  sumOfPicked,
} from '@/components/picking/picked.ts'
import { NO_TRACKING, type TrackingField, TrackingFields, postageErrors } from './tracking-fields.tsx'
import { type ShipBody, useOrderActions } from '../order-page/use-order-actions.ts'
import { t } from '@/lib/i18n/messages.ts'

/** Returns the unshipped lines with their available pieces. A set is replaced by its parts. */
const shippable = (order: Order): CountedLine[] =>
  pickable(order).map((line) => ({
    line,
    most: leftOf(line),
    note: line.is_ignored
      ? t('Not kept in stock')
      : t('{reserved_quantity} reserved, {allocated_quantity} in stock', {
          reserved_quantity: formatCount(line.reserved_quantity),
          allocated_quantity: formatCount(line.allocated_quantity),
        }),
  }))

/**
 * Returns the pieces of a line that can be shipped now. An ignored SKU has no stock, so all its unshipped pieces can
 * be.
 */
const availableOf = (line: OrderLine | SetPart): number =>
  line.is_ignored ? leftOf(line) : Math.min(leftOf(line), line.reserved_quantity + line.allocated_quantity)

/**
 * Returns the number of pieces of each part that complete as many sets as possible. Other available pieces are not
 * shipped.
 */
function wholeSets(parts: readonly SetPart[]): [id: string, count: number][] {
  const sets = Math.min(
    ...parts.map((part) => Math.floor((part.shipped_quantity + availableOf(part)) / part.pieces_per_set)),
  )
  return parts.map((part) => [
    part.id,
    Math.min(availableOf(part), Math.max(0, sets * part.pieces_per_set - part.shipped_quantity)),
  ])
}

/**
 * Returns the pieces that the dialog offers to ship, by the id of the line. Parts of sets are offered only as whole
 * sets.
 */
const offeredOf = ({ items }: Order): ReadonlyMap<string, number> =>
  new Map(
    items.flatMap((line): [string, number][] =>
      line.is_set ? wholeSets(line.parts) : [[line.id, availableOf(line)]],
    ),
  )

/** Returns the shipped pieces of each line of an order. */
const shippedPieces = (order: Order): ReadonlyMap<string, number> =>
  new Map(pieceLines(order.items).map((line) => [line.id, line.shipped_quantity]))

/** Returns the entered counts without the pieces that were shipped between two states of the order. */
function withoutShipped(
  counts: Readonly<Record<string, string>>,
  before: Order,
  now: Order,
): Record<string, string> {
  const [shippedBefore, shippedNow] = [shippedPieces(before), shippedPieces(now)]
  const lowered = Object.entries(counts).map(([id, text]) => {
    const count = typedNumber(text)
    const since = (shippedNow.get(id) ?? 0) - (shippedBefore.get(id) ?? 0)
    return [id, count === null || since <= 0 ? text : String(Math.max(0, count - since))] as const
  })
  return Object.fromEntries(lowered)
}

/** Returns the numbers of the shipments that were not undone. */
const shipmentsOf = ({ shipments }: Order): string => shipments.map(({ number }) => number).join()

interface ShipDialogProps {
  order: Order
  /** The picked pieces. By default all available pieces are shipped, and whole sets of those that belong to sets. */
  picked?: Picked | undefined
  onClose: () => void
}

/**
 * Ships an order, or a part of it. Pieces that someone else ships while the dialog is open are subtracted, until their
 * shipment is undone. The server refuses the shipment if the dialog does not show an earlier one yet, so that no piece
 * is shipped twice.
 */
export function ShipDialog({ order, picked, onClose }: ShipDialogProps) {
  const actions = useOrderActions(order)
  const lines = shippable(order)
  const [offered] = useState<Record<string, string>>(() => {
    const available = offeredOf(order)
    return Object.fromEntries(
      lines.map(({ line }) => [line.id, String((picked ? picked[line.id] : available.get(line.id)) ?? 0)]),
    )
  })
  const [opened] = useState(order)
  /** The counts, and the order for which they were entered. */
  const [entered, setEntered] = useState({ counts: offered, order })
  /** The state of the order for which the dialog shows the counts. */
  const [seen, setSeen] = useState(order)
  const initial = withoutShipped(offered, opened, seen)
  const counts = withoutShipped(entered.counts, entered.order, seen)
  const shippedMeanwhile = sumOfPicked(shippedAfter(seen, lastShipmentOf(opened)))
  const [notifiesShop, setNotifiesShop] = useState(true)
  const items = readCounts(lines, counts)
  const total = items?.reduce((sum, { quantity }) => sum + quantity, 0) ?? 0
  const state = useNewForm({
    start: NO_TRACKING,
    read: (form: FormText<TrackingField>): ReadResult<ShipBody, TrackingField> => {
      const errors = postageErrors(form, order.currency)
      if (errors) return { body: null, errors }
      const body = {
        items: items ?? [],
        carrier: form.carrier,
        tracking_number: form.tracking_number,
        tracking_url: form.tracking_url,
        postage_amount: typedNumber(form.postage_amount),
        notify_shop: notifiesShop,
        last_shipment_number: lastShipmentOf(seen),
      }
      return { body, errors: null }
    },
    create: async (body, headers) => {
      await actions.ship(body, headers)
      onClose()
    },
  })
  // While the request runs, a new shipment is probably the one that it creates.
  if (shipmentsOf(order) !== shipmentsOf(seen) && !state.isPending) setSeen(order)
  return (
    <FormDialog
      state={{
        ...state,
        hasChanges: state.hasChanges || lines.some(({ line }) => counts[line.id] !== initial[line.id]),
      }}
      submitLabel={
        total > 0 ? t('Ship {total, plural, one {# piece} other {# pieces}}', { total }) : t('Ship')
      }
      submitButton={{ disabled: total === 0 }}
      onClose={onClose}
      title={t('Ship {order_number}', { order_number: order.order_number })}
      description={t('Reserved pieces are taken first, then free ones.')}
    >
      {shippedMeanwhile > 0 ? (
        <AlertBox tone="warning" className="mb-3">
          {t(
            '{shippedMeanwhile, plural, one {# piece} other {# pieces}} of this order {shippedMeanwhile, plural, one {was} other {were}} shipped in the meantime. {lines}',
            {
              shippedMeanwhile,
              lines:
                lines.length === 0
                  ? t('No pieces are left to ship.')
                  : t('They are subtracted here. Please check the quantities.'),
            },
          )}
        </AlertBox>
      ) : null}
      {lines.length > 0 ? (
        <LineCounts
          lines={lines}
          counts={counts}
          onChange={(next) => setEntered({ counts: next, order: seen })}
        />
      ) : null}
      {items === null ? (
        <p role="alert" className="mt-2 text-label text-red-ink">
          {t('Enter whole numbers, at most the quantity left to ship.')}
        </p>
      ) : null}
      <div className="mt-4 grid grid-cols-2 items-start gap-4 phone:grid-cols-1">
        <TrackingFields
          form={state.form}
          change={state.change}
          errors={state.errors}
          currency={order.currency}
        />
        {order.is_reported_to_shop ? (
          <Checkbox
            label={t('Report it to the shop, which informs the customer')}
            checked={notifiesShop}
            onChange={({ target }) => setNotifiesShop(target.checked)}
            className="col-span-full"
          />
        ) : null}
      </div>
    </FormDialog>
  )
}
