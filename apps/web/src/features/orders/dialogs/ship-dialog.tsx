import type { Order } from '@pegasus/contracts/orders/orders'
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

/** Subtracts the pieces that were shipped between two states of the order from the entered counts. */
function withoutShipped(
  counts: Readonly<Record<string, string>>,
  before: readonly CountedLine[],
  lines: readonly CountedLine[],
): Record<string, string> {
  const shippedBefore = new Map(before.map(({ line }) => [line.id, line.shipped_quantity]))
  const lowered = lines.flatMap(({ line, most }) => {
    const count = typedNumber(counts[line.id] ?? '')
    if (count === null) return []
    const since = Math.max(0, line.shipped_quantity - (shippedBefore.get(line.id) ?? 0))
    return [[line.id, String(Math.min(Math.max(0, count - since), most))] as const]
  })
  return { ...counts, ...Object.fromEntries(lowered) }
}

interface ShipDialogProps {
  order: Order
  /** The picked pieces. By default all available pieces are shipped. */
  picked?: Picked | undefined
  onClose: () => void
}

/**
 * Ships an order, or a part of it. Pieces that someone else ships while the dialog is open are subtracted. The server
 * refuses the shipment if the dialog does not know about an earlier one yet, so that no piece is shipped twice.
 */
export function ShipDialog({ order, picked, onClose }: ShipDialogProps) {
  const actions = useOrderActions(order)
  const lines = shippable(order, picked !== undefined)
  const [initial, setInitial] = useState<Record<string, string>>(() =>
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
  const [counts, setCounts] = useState<Record<string, string>>(initial)
  /** The order as the counts were entered for it. */
  const [seen, setSeen] = useState(order)
  const [shippedMeanwhile, setShippedMeanwhile] = useState(0)
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
  if (lastShipmentOf(order) !== lastShipmentOf(seen) && !state.isPending) {
    const lower = (of: Record<string, string>) =>
      withoutShipped(of, shippable(seen, picked !== undefined), lines)
    setSeen(order)
    setShippedMeanwhile(shippedMeanwhile + sumOfPicked(shippedAfter(order, lastShipmentOf(seen))))
    setInitial(lower(initial))
    setCounts(lower(counts))
  }
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
      {lines.length > 0 ? <LineCounts lines={lines} counts={counts} onChange={setCounts} /> : null}
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
