import { type UpdateOrderBody, updateOrderBody } from '@pegasus/contracts/orders/order-body'
import { updateOrder } from '@pegasus/contracts/orders/order-changes'
import type { Order, OrderLine } from '@pegasus/contracts/orders/orders'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { FormDialog } from '@/components/kit/form-dialog.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { useNewForm } from '@/lib/forms/use-text-form.ts'
import { callApi, ifMatch } from '@/lib/http/api.ts'
import { useConfig } from '@/lib/http/config.ts'
import { ORDERS_KEY } from '../orders.queries.ts'
import { ItemSearch } from './item-search.tsx'
import {
  LINE_PROBLEM,
  type TypedLine,
  TypedLines,
  priceProblem,
  sumOfLines,
  wireLines,
  withItem,
} from './typed-lines.tsx'
import { t } from '@/lib/i18n/messages.ts'

const linesOf = (order: Order): TypedLine[] =>
  order.items.map((line) => ({
    key: line.id,
    sku: line.sku,
    name: line.name,
    quantity: String(line.quantity),
    price: String(line.unit_price),
    ...(isSold(line) && { fixedPrice: t('Pieces were shipped at this price, so it is fixed.') }),
  }))

/** Returns whether pieces of a line were shipped. */
const isSold = ({ shipped_quantity: shipped, parts }: OrderLine): boolean =>
  [shipped, ...parts.map((part) => part.shipped_quantity)].some((count) => count > 0)

/**
 * Returns the part of the total that does not come from lines: shipping, tax, discount, and any unexplained
 * difference.
 */
const besidesLines = (order: Order): number =>
  order.total_amount - order.items.reduce((sum, line) => sum + line.quantity * line.unit_price, 0)

const cents = (amount: number): number => Math.max(0, Math.round(amount * 1000) / 1000)

/** Edits the lines of an order. The total changes with them. A line with shipped pieces keeps its SKU and its price. */
export function EditLinesDialog({ order, onClose }: { order: Order; onClose: () => void }) {
  const client = useQueryClient()
  const currency = useConfig()?.currency ?? 'USD'
  // The dialog keeps the revision with which it was opened, so that it does not overwrite later changes by
  // others.
  const [start] = useState(order)
  const [lines, setLines] = useState<readonly TypedLine[]>(() => linesOf(start))
  const total = cents(besidesLines(start) + sumOfLines(lines))
  const state = useNewForm<never, UpdateOrderBody, 'items'>({
    start: {},
    read: () => {
      const parsed = updateOrderBody.safeParse({ items: wireLines(lines) })
      if (!parsed.success) return { body: null, errors: { items: LINE_PROBLEM } }
      const prices = priceProblem(lines, currency)
      return prices === null ? { body: parsed.data, errors: null } : { body: null, errors: { items: prices } }
    },
    create: async (body) => {
      const params = { id: start.id }
      await callApi(updateOrder, { params, body, headers: ifMatch(start.revision) })
      toast({ title: t('Lines of {order_number} saved', { order_number: start.order_number }) })
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
      submitLabel={t('Save lines')}
      onClose={onClose}
      title={t('Lines of {order_number}', { order_number: start.order_number })}
      size="lg"
    >
      <Field label={t('Items')} error={state.errors.items}>
        <ItemSearch onPick={(item) => change(withItem(lines, item))} />
      </Field>
      <TypedLines lines={lines} total={total} onChange={change} />
    </FormDialog>
  )
}
