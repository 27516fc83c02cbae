import type { Order } from '@pegasus/contracts/orders/orders'
import { useState } from 'react'
import { FormDialog } from '@/components/kit/form-dialog.tsx'
import { Checkbox } from '@/components/ui/forms/checkbox.tsx'
import type { FormText, ReadResult } from '@/lib/forms/form-merge.ts'
import { useNewForm } from '@/lib/forms/use-text-form.ts'
import { formatCount, formatNumberOf } from '@/lib/format/format.ts'
import { type CountedLine, LineCounts, readCounts } from './line-counts.tsx'
import { type Picked, pickable } from './picked.ts'
import { NO_TRACKING, type TrackingField, TrackingFields } from './tracking-fields.tsx'
import { type ShipBody, useOrderActions } from '../order-page/use-order-actions.ts'

/** Returns the unshipped lines with their available pieces. After picking, returns the picked lines. */
const shippable = (order: Order, isPicked: boolean): CountedLine[] =>
  (isPicked ? pickable(order) : order.items)
    .map((line) => ({
      line,
      most: line.quantity - line.shipped_quantity,
      note: line.is_ignored
        ? 'Not kept in stock'
        : `${formatCount(line.reserved_quantity)} reserved, ${formatCount(line.allocated_quantity)} in stock`,
    }))
    .filter(({ most }) => most > 0)

interface ShipDialogProps {
  order: Order
  /** The picked pieces. By default all available pieces are shipped. */
  picked?: Picked | undefined
  onClose: () => void
}

/** Ships an order, or a part of it. */
export function ShipDialog({ order, picked, onClose }: ShipDialogProps) {
  const actions = useOrderActions(order)
  const lines = shippable(order, picked !== undefined)
  const [initial] = useState(() =>
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
      },
      errors: null,
    }),
    create: async (body, headers) => {
      await actions.ship(body, headers)
      onClose()
    },
  })
  return (
    <FormDialog
      state={{ ...state, hasChanges: state.hasChanges || counts !== initial }}
      submitLabel={total > 0 ? `Ship ${formatNumberOf(total, 'piece')}` : 'Ship'}
      submitButton={{ disabled: total === 0 }}
      onClose={onClose}
      title={`Ship ${order.order_number}`}
      description="Reserved pieces are taken first, then free ones."
    >
      <LineCounts lines={lines} counts={counts} onChange={setCounts} />
      {items === null ? (
        <p role="alert" className="mt-2 text-label text-red-ink">
          Enter whole numbers, at most the quantity left to ship.
        </p>
      ) : null}
      <div className="mt-4 grid grid-cols-2 items-start gap-4 phone:grid-cols-1">
        <TrackingFields form={state.form} change={state.change} errors={state.errors} />
        {isOfShop ? (
          <Checkbox
            label="Report it to the shop, which informs the customer"
            checked={notifiesShop}
            onChange={({ target }) => setNotifiesShop(target.checked)}
            className="col-span-full"
          />
        ) : null}
      </div>
    </FormDialog>
  )
}
