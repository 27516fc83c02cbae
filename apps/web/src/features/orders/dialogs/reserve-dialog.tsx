import { type Order, pieceLines } from '@pegasus/contracts/orders/orders'
import { useState } from 'react'
import { FormDialog } from '@/components/kit/form-dialog.tsx'
import { useNewForm } from '@/lib/forms/use-text-form.ts'
import { formatCount } from '@/lib/format/format.ts'
import { type CountedLine, LineCounts, readCounts } from './line-counts.tsx'
import { useOrderActions } from '../order-page/use-order-actions.ts'
import { t } from '@/lib/i18n/messages.ts'

type Direction = 'reserve' | 'release'

/** Returns the lines with pieces to reserve, or to release. */
const choosable = (order: Order, direction: Direction): CountedLine[] =>
  pieceLines(order.items)
    .map((line) =>
      direction === 'reserve'
        ? {
            line,
            most: line.allocated_quantity,
            note: t('{allocated_quantity} in stock', {
              allocated_quantity: formatCount(line.allocated_quantity),
            }),
          }
        : {
            line,
            most: line.reserved_quantity,
            note: t('{reserved_quantity} reserved', {
              reserved_quantity: formatCount(line.reserved_quantity),
            }),
          },
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
  const submitLabel = () => {
    if (total === 0) return isReserve ? t('Reserve') : t('Release')
    return isReserve
      ? t('Reserve {total, plural, one {# piece} other {# pieces}}', { total })
      : t('Release {total, plural, one {# piece} other {# pieces}}', { total })
  }
  const state = useNewForm<never, { items: NonNullable<typeof items> }>({
    start: {},
    read: () => ({ body: { items: items ?? [] }, errors: null }),
    create: async (body, headers) => {
      await (isReserve ? actions.reserveSome(body, headers) : actions.releaseSome(body, headers))
      onClose()
    },
  })
  return (
    <FormDialog
      state={{ ...state, hasChanges: total > 0 }}
      submitLabel={submitLabel()}
      submitButton={{ disabled: total === 0 }}
      onClose={onClose}
      title={
        isReserve
          ? t('Reserve for {order_number}', { order_number: order.order_number })
          : t('Release from {order_number}', { order_number: order.order_number })
      }
    >
      <LineCounts lines={lines} counts={counts} onChange={setCounts} />
      {items === null ? (
        <p role="alert" className="mt-2 text-label text-red-ink">
          {isReserve
            ? t('Enter whole numbers, at most the quantity in stock.')
            : t('Enter whole numbers, at most the quantity reserved.')}
        </p>
      ) : null}
    </FormDialog>
  )
}
