import { type UpdateOrderBody, updateOrderBody } from '@pegasus/contracts/orders/order-body'
import { updateOrder } from '@pegasus/contracts/orders/order-changes'
import { type Order, getOrder } from '@pegasus/contracts/orders/orders'
import { useQueryClient } from '@tanstack/react-query'
import { EditDialog } from '@/components/kit/edit-dialog.tsx'
import { formFields } from '@/components/kit/form-fields.ts'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { Textarea } from '@/components/ui/forms/textarea.tsx'
import { type FormText, type ReadResult, pickFields, readResult } from '@/lib/forms/form-merge.ts'
import { editCalls } from '@/lib/http/api.ts'
import { ORDERS_KEY } from '../orders.queries.ts'
import { ADDRESS_LABELS, AddressFields, addressErrors, addressForm, wireAddress } from './address-fields.tsx'

const LABELS = {
  customer_name: 'Customer',
  customer_email: 'Email',
  due_at: 'Due',
  notes: 'Notes',
  ...ADDRESS_LABELS,
} as const
type OrderField = keyof typeof LABELS

const formOf = (order: Order): FormText<OrderField> => ({
  customer_name: order.customer_name,
  customer_email: order.customer_email ?? '',
  due_at: order.due_at ? dayOf(order.due_at) : '',
  notes: order.notes ?? '',
  ...addressForm(order.shipping_address),
})

/** Returns the local day of a time, in the format of a date field. */
function dayOf(moment: string): string {
  const date = new Date(moment)
  const part = (value: number) => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${part(date.getMonth() + 1)}-${part(date.getDate())}`
}

/** Returns the last second of a local day; null for an empty field. */
export const endOfDay = (day: string): string | null =>
  day === '' ? null : new Date(`${day}T23:59:59`).toISOString()

function readChange(
  form: FormText<OrderField>,
  changed: readonly OrderField[],
): ReadResult<UpdateOrderBody, OrderField> {
  const own = changed.filter((name) => !(name in ADDRESS_LABELS))
  const wire = { ...pickFields({ ...form, due_at: endOfDay(form.due_at) }, own) }
  // An address is always sent with all its fields.
  const address = own.length < changed.length && { shipping_address: wireAddress(form) }
  const parsed = updateOrderBody.safeParse({ ...wire, ...address })
  const read = readResult<UpdateOrderBody, OrderField>(parsed, LABELS)
  return parsed.success || read.body
    ? read
    : { body: null, errors: { ...read.errors, ...addressErrors(parsed.error.issues) } }
}

/** The dialog that edits the customer, the shipping address and the due date of an order. */
export function EditOrderDialog({ order, onClose }: { order: Order; onClose: () => void }) {
  const client = useQueryClient()
  return (
    <EditDialog
      title={`Edit ${order.order_number}`}
      labels={LABELS}
      thing={order}
      formOf={formOf}
      read={readChange}
      {...editCalls(getOrder, updateOrder, { id: order.id })}
      savedText={(saved) => `${saved.order_number} saved`}
      onSaved={() => void client.invalidateQueries({ queryKey: [ORDERS_KEY] })}
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
              <Field {...field('due_at')}>
                <Input {...input('due_at')} type="date" />
              </Field>
            </div>
            <Field {...field('notes')}>
              <Textarea {...textarea('notes')} maxLength={10_000} />
            </Field>
            <AddressFields field={field} input={input} />
          </div>
        )
      }}
    </EditDialog>
  )
}
