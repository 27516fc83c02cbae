import { type Order, pieceLines } from '@pegasus/contracts/orders/orders'
import { useState } from 'react'
import { FormDialog } from '@/components/kit/form-dialog.tsx'
import { AlertBox } from '@/components/ui/feedback/alert-box.tsx'
import { Checkbox } from '@/components/ui/forms/checkbox.tsx'
import type { FormText, ReadResult } from '@/lib/forms/form-merge.ts'
import { useNewForm } from '@/lib/forms/use-text-form.ts'
import { typedNumber } from '@/lib/forms/typed-number.ts'
import { formatCount } from '@/lib/format/format.ts'
import { type CountedLine, LineCounts, readCounts } from './line-counts.tsx'
import { type Picked, lastShipmentOf, pickable, shippedAfter, sumOfPicked } from './picked.ts'
import { NO_TRACKING, type TrackingField, TrackingFields } from './tracking-fields.tsx'
import { type ShipBody, useOrderActions } from '../order-page/use-order-actions.ts'
import { t } from '@/lib/i18n/messages.ts'

/** Returns the unshipped lines with their available pieces. After picking, returns the picked lines. */
const shippable = (order: Order, isPicked: boolean): CountedLine[] =>
  (isPicked ? pickable(order) : order.items)
    .map((line) => ({
      line,
      most: line.quantity - line.shipped_quantity,
      note: line.is_ignored
        ? t('Not kept in stock')
        : t('{reserved_quantity} reserved, {allocated_quantity} in stock', {
            reserved_quantity: formatCount(line.reserved_quantity),
            allocated_quantity: formatCount(line.allocated_quantity),
          }),
    }))
    .filter(({ most }) => most > 0)

/** Returns the shipped pieces of each line of an order. */
const shippedPieces = (order: Order): ReadonlyMap<string, number> =>
  new Map([...order.items, ...pieceLines(order.items)].map((line) => [line.id, line.shipped_quantity]))

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
  /** The picked pieces. By default all available pieces are shipped. */
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
  const lines = shippable(order, picked !== undefined)
  const [offered] = useState<Record<string, string>>(() =>
    Object.fromEntries(
      lines.map(({ line, most }) => [
        line.id,
        String(
          picked
            ? (picked[line.id] ?? 0)
            : line.is_ignored
              ? most
              : Math.min(most, line.reserved_quantity + line.allocated_quantity),
        ),
      ]),
    ),
  )
  const [opened] = useState(order)
  /** The counts, and the order for which they were entered. */
  const [entered, setEntered] = useState({ counts: offered, order })
  /** The order as the counts are shown for it. */
  const [seen, setSeen] = useState(order)
  const initial = withoutShipped(offered, opened, seen)
  const counts = withoutShipped(entered.counts, entered.order, seen)
  const shippedMeanwhile = sumOfPicked(shippedAfter(seen, lastShipmentOf(opened)))
  const isOfShop = order.source !== 'manual'
  const [notifiesShop, setNotifiesShop] = useState(true)
  const items = readCounts(lines, counts)
  const total = items?.reduce((sum, { quantity }) => sum + quantity, 0) ?? 0
  const state = useNewForm({
    start: NO_TRACKING,
    read: (form: FormText<TrackingField>): ReadResult<ShipBody, TrackingField> => ({
      body: {
        items: items ?? [],
        carrier: form.carrier,
        tracking_number: form.tracking_number,
        tracking_url: form.tracking_url,
        notify_shop: notifiesShop,
        last_shipment_number: lastShipmentOf(seen),
      },
      errors: null,
    }),
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
        <TrackingFields form={state.form} change={state.change} errors={state.errors} />
        {isOfShop ? (
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
