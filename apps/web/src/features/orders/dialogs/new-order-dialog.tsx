import { type CreateOrderBody, createOrderBody } from '@pegasus/contracts/orders/order-body'
import { createOrder } from '@pegasus/contracts/orders/order-changes'
import { useQueryClient } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useState } from 'react'
import { FormDialog } from '@/components/kit/form-dialog.tsx'
import { IconButton } from '@/components/ui/actions/icon-button.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { type FormText, type ReadResult, readResult } from '@/lib/forms/form-merge.ts'
import { numberText, typedNumber } from '@/lib/forms/typed-number.ts'
import { useNewForm } from '@/lib/forms/use-text-form.ts'
import { formatMoney } from '@/lib/format/format.ts'
import { callApi } from '@/lib/http/api.ts'
import { useConfig } from '@/lib/http/config.ts'
import { endOfDay } from './edit-order-dialog.tsx'
import { ItemSearch, type PickedItem } from './item-search.tsx'
import { ORDERS_KEY } from '../orders.queries.ts'

interface TypedLine {
  item: PickedItem
  quantity: string
  price: string
}

type OrderField = 'order_number' | 'customer_name' | 'customer_email' | 'due_at' | 'shipping_amount' | 'notes'

const EMPTY: FormText<OrderField> = {
  order_number: '',
  customer_name: '',
  customer_email: '',
  due_at: '',
  shipping_amount: '',
  notes: '',
}

/** Invalid numbers become NaN, which the schema reports. */
const numberOf = (text: string): number => typedNumber(text) ?? Number.NaN

function readOrder(
  form: FormText<OrderField>,
  lines: readonly TypedLine[],
): ReadResult<CreateOrderBody, OrderField | 'items'> {
  const parsed = createOrderBody.safeParse({
    order_number: form.order_number,
    customer_name: form.customer_name,
    customer_email: form.customer_email,
    due_at: endOfDay(form.due_at),
    shipping_amount: typedNumber(form.shipping_amount),
    notes: form.notes,
    items: lines.map(({ item, quantity, price }) => ({
      sku: item.sku,
      name: item.name,
      quantity: numberOf(quantity),
      unit_price: numberOf(price),
    })),
  })
  const isField = (name: string): name is OrderField | 'items' => name in EMPTY || name === 'items'
  if (!parsed.success && parsed.error.issues.some(({ path }) => path[0] === 'items'))
    return {
      body: null,
      errors: { items: 'Each line needs a whole number of pieces from 1 on, and a price of 0 or more.' },
    }
  return readResult(parsed, isField)
}

interface NewOrderDialogProps {
  onClose: () => void
  /** Opens the page of the new order. */
  onShow: (id: string) => void
}

/** Enters an order that came by mail, by phone or over the counter. */
export function NewOrderDialog({ onClose, onShow }: NewOrderDialogProps) {
  const client = useQueryClient()
  const currency = useConfig()?.currency ?? 'USD'
  const [lines, setLines] = useState<readonly TypedLine[]>([])
  const state = useNewForm<OrderField, CreateOrderBody, 'items'>({
    start: EMPTY,
    read: (form) => readOrder(form, lines),
    create: async (body, headers) => {
      const order = await callApi(createOrder, { body, headers })
      toast({ title: `${order.order_number} added` })
      void client.invalidateQueries({ queryKey: [ORDERS_KEY] })
      onClose()
      onShow(order.id)
    },
  })
  const { bind, errors } = state
  const edit = (at: number, part: Partial<TypedLine>) => {
    state.clearError('items')
    setLines(lines.map((line, index) => (index === at ? { ...line, ...part } : line)))
  }
  const add = (item: PickedItem) => {
    const known = lines.findIndex((line) => line.item.id === item.id)
    if (known >= 0)
      return edit(known, { quantity: String((typedNumber(lines[known]?.quantity ?? '') ?? 0) + 1) })
    setLines([...lines, { item, quantity: '1', price: numberText(item.price ?? 0) }])
  }
  const total =
    lines.reduce((sum, { quantity, price }) => sum + numberOf(quantity) * numberOf(price), 0) +
    (typedNumber(state.form.shipping_amount) ?? 0)
  return (
    <FormDialog
      state={{ ...state, hasChanges: state.hasChanges || lines.length > 0 }}
      submitLabel="Add order"
      onClose={onClose}
      title="New order"
      description="Orders of the shop arrive by themselves. Enter one that came in another way."
      size="lg"
    >
      <div className="grid grid-cols-6 items-start gap-4">
        <Field label="Customer" error={errors.customer_name} className="col-span-3 phone:col-span-6">
          <Input {...bind('customer_name')} maxLength={200} autoComplete="off" dir="auto" autoFocus />
        </Field>
        <Field label="Email" error={errors.customer_email} className="col-span-3 phone:col-span-6">
          <Input {...bind('customer_email')} type="email" maxLength={320} autoComplete="off" />
        </Field>
        <Field
          label="Order number"
          error={errors.order_number}
          hint="Given by itself if you leave it empty"
          className="col-span-2 phone:col-span-6"
        >
          <Input {...bind('order_number')} maxLength={64} autoComplete="off" className="code" />
        </Field>
        <Field label="Due" error={errors.due_at} className="col-span-2 phone:col-span-3">
          <Input {...bind('due_at')} type="date" />
        </Field>
        <Field label="Shipping" error={errors.shipping_amount} className="col-span-2 phone:col-span-3">
          <Input {...bind('shipping_amount')} inputMode="decimal" autoComplete="off" unit={currency} />
        </Field>
        <Field label="Items" error={errors.items} className="col-span-6">
          <ItemSearch onPick={add} />
        </Field>
      </div>
      {lines.length > 0 ? (
        <ul className="mt-3 divide-y divide-line rounded-card border border-line">
          {lines.map(({ item, quantity, price }, at) => (
            <li key={item.id} className="flex items-center gap-2 px-3 py-2 phone:flex-wrap">
              <span className="min-w-0 flex-1 phone:basis-full">
                <bdi className="block truncate text-left font-medium" title={item.name}>
                  {item.name}
                </bdi>
                <span className="block truncate text-caption text-ink-3 code">{item.sku}</span>
              </span>
              <Input
                aria-label={`Quantity of ${item.name}`}
                inputMode="numeric"
                autoComplete="off"
                unit="pcs"
                className="w-28"
                value={quantity}
                onChange={({ target }) => edit(at, { quantity: target.value })}
              />
              <Input
                aria-label={`Price of ${item.name}`}
                inputMode="decimal"
                autoComplete="off"
                unit={currency}
                className="w-32"
                value={price}
                onChange={({ target }) => edit(at, { price: target.value })}
              />
              <IconButton
                size="sm"
                label={`Remove ${item.name}`}
                onClick={() => setLines(lines.filter((_, index) => index !== at))}
              >
                <X size={14} strokeWidth={1.75} aria-hidden />
              </IconButton>
            </li>
          ))}
          <li className="flex justify-between px-3 py-2 font-semibold">
            Total <span>{Number.isFinite(total) ? formatMoney(total) : '–'}</span>
          </li>
        </ul>
      ) : null}
      <Field label="Notes" error={errors.notes} className="mt-4">
        <Input {...bind('notes')} maxLength={10_000} autoComplete="off" dir="auto" />
      </Field>
    </FormDialog>
  )
}
