import { type UpdateOrderBody, updateOrderBody } from '@pegasus/contracts/orders/order-body'
import { updateOrder } from '@pegasus/contracts/orders/order-changes'
import type { Order } from '@pegasus/contracts/orders/orders'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { FormDialog } from '@/components/kit/form-dialog.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { useNewForm } from '@/lib/forms/use-text-form.ts'
import { callApi, ifMatch } from '@/lib/http/api.ts'
import { ORDERS_KEY } from '../orders.queries.ts'
import { ItemSearch } from './item-search.tsx'
import { LINE_PROBLEM, type TypedLine, TypedLines, sumOfLines, wireLines, withItem } from './typed-lines.tsx'

const linesOf = (order: Order): TypedLine[] =>
  order.items.map(({ id, sku, name, quantity, unit_price }) => ({
    key: id,
    sku,
    name,
    quantity: String(quantity),
    price: String(unit_price),
  }))

/**
 * Returns the part of the total that does not come from lines: shipping, tax, discount, and any unexplained
 * difference.
 */
const besidesLines = (order: Order): number =>
  order.total_amount - order.items.reduce((sum, line) => sum + line.quantity * line.unit_price, 0)

const cents = (amount: number): number => Math.max(0, Math.round(amount * 1000) / 1000)

/** Edits the lines of an order. The total is recalculated. A line with shipped pieces keeps its SKU. */
export function EditLinesDialog({ order, onClose }: { order: Order; onClose: () => void }) {
  const client = useQueryClient()
  // The dialog keeps the revision with which it was opened, so that it does not overwrite later changes by
  // others.
  const [start] = useState(order)
  const [lines, setLines] = useState<readonly TypedLine[]>(() => linesOf(start))
  const total = cents(besidesLines(start) + sumOfLines(lines))
  const state = useNewForm<never, UpdateOrderBody, 'items'>({
    start: {},
    read: () => {
      const parsed = updateOrderBody.safeParse({ items: wireLines(lines), total_amount: total })
      return parsed.success
        ? { body: parsed.data, errors: null }
        : { body: null, errors: { items: LINE_PROBLEM } }
    },
    create: async (body) => {
      const params = { id: start.id }
      await callApi(updateOrder, { params, body, headers: ifMatch(start.revision) })
      toast({ title: `Lines of ${start.order_number} saved` })
      for (const key of [ORDERS_KEY, 'inventory', 'stats']) void client.invalidateQueries({ queryKey: [key] })
      onClose()
    },
  })
  const change = (next: readonly TypedLine[]) => {
    state.clearError('items')
    setLines(next)
  }
  return (
    <FormDialog
      state={{ ...state, hasChanges: JSON.stringify(lines) !== JSON.stringify(linesOf(start)) }}
      submitLabel="Save lines"
      onClose={onClose}
      title={`Lines of ${start.order_number}`}
      size="lg"
    >
      <Field label="Items" error={state.errors.items}>
        <ItemSearch onPick={(item) => change(withItem(lines, item))} />
      </Field>
      <TypedLines lines={lines} total={total} onChange={change} />
    </FormDialog>
  )
}
