import { type CreateOrderBody, createOrderBody } from '@pegasus/contracts/orders/order-body'
import { createOrder } from '@pegasus/contracts/orders/order-changes'
import { useState } from 'react'
import { FormDialog } from '@/components/kit/form-dialog.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { emailProblem } from '@/lib/forms/email-problem.ts'
import { type FormText, type ReadResult, readResult } from '@/lib/forms/form-merge.ts'
import { useNewForm } from '@/lib/forms/use-text-form.ts'
import { callApi } from '@/lib/http/api.ts'
import { useConfig } from '@/lib/http/config.ts'
import { dueHint } from './due-hint.ts'
import { endOfDay } from './edit-order-dialog.tsx'
import {
  type AddressField,
  AddressFields,
  addressErrors,
  addressForm,
  wireAddress,
} from './address-fields.tsx'
import {
  type AmountField,
  AmountFields,
  amountErrors,
  amountForm,
  sumOfAmounts,
  wireAmounts,
} from './amount-fields.tsx'
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
import { useOrderRefresh } from '../use-order-refresh.ts'
import { rich, t } from '@/lib/i18n/messages.ts'

type OrderField =
  | 'order_number'
  | 'customer_name'
  | 'customer_email'
  | 'due_at'
  | 'notes'
  | AmountField
  | AddressField

const EMPTY: FormText<OrderField> = {
  order_number: '',
  customer_name: '',
  customer_email: '',
  due_at: '',
  notes: '',
  ...amountForm(null),
  ...addressForm(null),
}

function readOrder(
  form: FormText<OrderField>,
  lines: readonly TypedLine[],
  currency: string,
): ReadResult<CreateOrderBody, OrderField | 'items'> {
  if (lines.length === 0) return { body: null, errors: { items: t('Add at least one item.') } }
  const email = emailProblem(form.customer_email)
  if (email !== null) return { body: null, errors: { customer_email: email } }
  const amounts = amountErrors(form, currency)
  if (amounts) return { body: null, errors: amounts }
  const parsed = createOrderBody.safeParse({
    order_number: form.order_number,
    customer_name: form.customer_name,
    customer_email: form.customer_email,
    due_at: endOfDay(form.due_at),
    ...wireAmounts(form),
    notes: form.notes,
    shipping_address: wireAddress(form),
    items: wireLines(lines),
  })
  if (!parsed.success && parsed.error.issues.some(({ path }) => path[0] === 'items'))
    return { body: null, errors: { items: LINE_PROBLEM } }
  const prices = priceProblem(lines, currency)
  if (prices !== null) return { body: null, errors: { items: prices } }
  const read = readResult(parsed, { ...form, items: lines })
  return parsed.success || read.body
    ? read
    : { body: null, errors: { ...read.errors, ...addressErrors(parsed.error.issues) } }
}

interface NewOrderDialogProps {
  /** Address of the dialog for a new item. */
  newItemAddress: string
  onClose: () => void
  /** Opens the page of the new order. */
  onShow: (id: string) => void
}

/** Creates an order that came by email, by phone or over the counter. */
export function NewOrderDialog({ newItemAddress, onClose, onShow }: NewOrderDialogProps) {
  const refresh = useOrderRefresh()
  const currency = useConfig()?.currency ?? 'USD'
  const [lines, setLines] = useState<readonly TypedLine[]>([])
  const state = useNewForm<OrderField, CreateOrderBody, 'items'>({
    start: EMPTY,
    read: (form) => readOrder(form, lines, currency),
    create: async (body, headers) => {
      const order = await callApi(createOrder, { body, headers })
      toast({ title: t('{order_number} added', { order_number: order.order_number }) })
      void refresh('pieces')
      onClose()
      onShow(order.id)
    },
  })
  const { bind, errors } = state
  const change = (next: readonly TypedLine[]) => {
    state.clearError('items')
    setLines(next)
  }
  return (
    <FormDialog
      state={{ ...state, hasChanges: state.hasChanges || lines.length > 0 }}
      submitLabel={t('Add order')}
      onClose={onClose}
      title={t('New order')}
      description={t('Orders from the shop arrive automatically. Enter an order that came in another way.')}
      size="lg"
    >
      <div className="grid grid-cols-6 items-start gap-4">
        <Field label={t('Customer')} error={errors.customer_name} className="col-span-3 phone:col-span-6">
          <Input {...bind('customer_name')} maxLength={200} autoComplete="off" dir="auto" autoFocus />
        </Field>
        <Field label={t('Email')} error={errors.customer_email} className="col-span-3 phone:col-span-6">
          <Input {...bind('customer_email')} type="email" maxLength={320} autoComplete="off" />
        </Field>
        <Field
          label={t('Order number')}
          error={errors.order_number}
          hint={t('Assigned automatically if empty')}
          className="col-span-3 phone:col-span-6"
        >
          <Input {...bind('order_number')} maxLength={64} autoComplete="off" className="code" />
        </Field>
        <Field
          label={t('Due')}
          error={errors.due_at}
          hint={dueHint(state.form.due_at)}
          className="col-span-3 phone:col-span-6"
        >
          <Input {...bind('due_at')} type="date" />
        </Field>
        <Field
          label={t('Items')}
          error={errors.items}
          hint={rich('Is an item missing? <link>Create it in a new tab</link>, then search for it here.', {
            link: (text) => (
              <a href={newItemAddress} target="_blank" rel="noreferrer" className="link">
                {text}
              </a>
            ),
          })}
          className="col-span-6"
        >
          <ItemSearch onPick={(item) => change(withItem(lines, item))} />
        </Field>
      </div>
      <TypedLines lines={lines} onChange={change} />
      <AmountFields
        isNew
        field={(name) => ({ error: errors[name] })}
        input={bind}
        total={sumOfLines(lines) + sumOfAmounts(state.form)}
      />
      <AddressFields field={(name) => ({ error: errors[name] })} input={bind} change={state.change} />
      <Field label={t('Notes')} error={errors.notes} className="mt-4">
        <Input {...bind('notes')} maxLength={10_000} autoComplete="off" dir="auto" />
      </Field>
    </FormDialog>
  )
}
