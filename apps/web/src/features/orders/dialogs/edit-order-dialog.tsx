import { type UpdateOrderBody, updateOrderBody } from '@pegasus/contracts/orders/order-body'
import { updateOrder } from '@pegasus/contracts/orders/order-changes'
import { type Order, getOrder } from '@pegasus/contracts/orders/orders'
import { isOpenOrder } from '@pegasus/contracts/statuses'
import { EditDialog } from '@/components/kit/edit-dialog.tsx'
import { formFields } from '@/components/kit/form-fields.ts'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { Textarea } from '@/components/ui/forms/textarea.tsx'
import { dayOf } from '@/lib/format/local-day.ts'
import { emailProblem } from '@/lib/forms/email-problem.ts'
import { type FormText, type ReadResult, pickFields, readResult } from '@/lib/forms/form-merge.ts'
import { editCalls } from '@/lib/http/api.ts'
import { useConfig } from '@/lib/http/config.ts'
import {
  AMOUNT_LABELS,
  AmountFields,
  amountErrors,
  amountForm,
  sumOfAmounts,
  wireAmounts,
} from './amount-fields.tsx'
import { dueHint } from './due-hint.ts'
import { ADDRESS_LABELS, AddressFields, addressErrors, addressForm, wireAddress } from './address-fields.tsx'
import { useOrderRefresh } from '../use-order-refresh.ts'
import { t } from '@/lib/i18n/messages.ts'

const LABELS = {
  customer_name: t('Customer'),
  customer_email: t('Email'),
  due_at: t('Due'),
  notes: t('Notes'),
  ...AMOUNT_LABELS,
  ...ADDRESS_LABELS,
} as const
type OrderField = keyof typeof LABELS

const formOf = (order: Order): FormText<OrderField> => ({
  customer_name: order.customer_name,
  customer_email: order.customer_email ?? '',
  due_at: dayOf(order.due_at),
  notes: order.notes ?? '',
  ...amountForm(order),
  ...addressForm(order.shipping_address),
})

/** Returns the last second of a local day; null for an empty field. */
export const endOfDay = (day: string): string | null =>
  day === '' ? null : new Date(`${day}T23:59:59`).toISOString()

function readChange(
  form: FormText<OrderField>,
  changed: readonly OrderField[],
  currency: string,
): ReadResult<UpdateOrderBody, OrderField> {
  // Check the email address only if it was changed. A shop can send text that is no address, and it may stay.
  const email = changed.includes('customer_email') ? emailProblem(form.customer_email) : null
  if (email !== null) return { body: null, errors: { customer_email: email } }
  const amounts = amountErrors(form, currency)
  if (amounts) return { body: null, errors: amounts }
  const own = changed.filter((name) => !(name in ADDRESS_LABELS))
  const wire = { ...pickFields({ ...form, ...wireAmounts(form), due_at: endOfDay(form.due_at) }, own) }
  // An address is always sent with all its fields.
  const address = own.length < changed.length && { shipping_address: wireAddress(form) }
  const parsed = updateOrderBody.safeParse({ ...wire, ...address })
  const read = readResult<UpdateOrderBody, OrderField>(parsed, LABELS)
  return parsed.success || read.body
    ? read
    : { body: null, errors: { ...read.errors, ...addressErrors(parsed.error.issues) } }
}

/** The dialog that edits the customer, the shipping address, the due date and the amounts of an order. */
export function EditOrderDialog({ order, onClose }: { order: Order; onClose: () => void }) {
  const refresh = useOrderRefresh()
  const currency = useConfig()?.currency ?? 'USD'
  const isSold = order.shipments.length > 0
  // No warning for a finished order, which is never overdue. No warning for an unchanged day either, because the list
  // already marks an overdue order.
  const dueHintOf = (day: string) =>
    isOpenOrder(order.status) && day !== dayOf(order.due_at) ? dueHint(day) : undefined
  return (
    <EditDialog
      title={t('Edit {order_number}', { order_number: order.order_number })}
      labels={LABELS}
      thing={order}
      formOf={formOf}
      read={(form, changed) => readChange(form, changed, currency)}
      {...editCalls(getOrder, updateOrder, { id: order.id })}
      savedText={(saved) => t('{order_number} saved', { order_number: saved.order_number })}
      onSaved={() => void refresh('pieces')}
      onClose={onClose}
    >
      {({ form, change, errors, hintOf }) => {
        const { field, input, textarea } = formFields({ form, change, labels: LABELS, errors, hintOf })
        return (
          <div className="flex flex-col gap-4">
            <Field {...field('customer_name')}>
              <Input {...input('customer_name')} maxLength={200} dir="auto" />
            </Field>
            <div className="grid grid-cols-2 items-start gap-4 phone:grid-cols-1">
              <Field {...field('customer_email')}>
                <Input {...input('customer_email')} type="email" maxLength={320} />
              </Field>
              <Field {...field('due_at', dueHintOf(form.due_at))}>
                <Input {...input('due_at')} type="date" />
              </Field>
            </div>
            <Field {...field('notes')}>
              <Textarea {...textarea('notes')} maxLength={10_000} />
            </Field>
            <AmountFields
              field={field}
              input={input}
              isSold={isSold}
              total={order.total_amount + sumOfAmounts(form) - sumOfAmounts(amountForm(order))}
            />
            <AddressFields field={field} input={input} change={change} />
          </div>
        )
      }}
    </EditDialog>
  )
}
