import { type Order, pieceLines } from '@pegasus/contracts/orders/orders'
import { useState } from 'react'
import { FormDialog } from '@/components/kit/form-dialog.tsx'
import { useNewForm } from '@/lib/forms/use-text-form.ts'
import { formatCount, formatNumberOf } from '@/lib/format/format.ts'
import { type CountedLine, LineCounts, readCounts } from './line-counts.tsx'
import { useOrderActions } from '../order-page/use-order-actions.ts'

type Direction = 'reserve' | 'release'

/** Returns the lines with pieces to reserve, or to release. */
const choosable = (order: Order, direction: Direction): CountedLine[] =>
  pieceLines(order.items)
    .map((line) =>
      direction === 'reserve'
        ? { line, most: line.allocated_quantity, note: `${formatCount(line.allocated_quantity)} in stock` }
        : { line, most: line.reserved_quantity, note: `${formatCount(line.reserved_quantity)} reserved` },
    )
    .filter(({ most }) => most > 0)

interface ReserveDialogProps {
  order: Order
  direction: Direction
  onClose: () => void
}

/** Reserves pieces for some lines of an order, or releases them. */
export function ReserveDialog({ order, direction, onClose }: ReserveDialogProps) {
  const actions = useOrderActions(order)
  const lines = choosable(order, direction)
  const [counts, setCounts] = useState<Record<string, string>>({})
  const items = readCounts(lines, counts)
  const total = items?.reduce((sum, { quantity }) => sum + quantity, 0) ?? 0
  const isReserve = direction === 'reserve'
  const word = isReserve ? 'Reserve' : 'Release'
  const state = useNewForm<never, { items: NonNullable<typeof items> }>({
    start: {},
    read: () => ({ body: { items: items ?? [] }, errors: null }),
    create: async (body) => {
      await (isReserve ? actions.reserveSome(body) : actions.releaseSome(body))
      onClose()
    },
  })
  return (
    <FormDialog
      state={{ ...state, hasChanges: total > 0 }}
      submitLabel={total > 0 ? `${word} ${formatNumberOf(total, 'piece')}` : word}
      submitButton={{ disabled: total === 0 }}
      onClose={onClose}
      title={isReserve ? `Reserve for ${order.order_number}` : `Release from ${order.order_number}`}
    >
      <LineCounts lines={lines} counts={counts} onChange={setCounts} />
      {items === null ? (
        <p role="alert" className="mt-2 text-label text-red-ink">
          Enter whole numbers, at most the quantity {isReserve ? 'in stock' : 'reserved'}.
        </p>
      ) : null}
    </FormDialog>
  )
}
