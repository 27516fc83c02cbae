import { useQuery } from '@tanstack/react-query'
import { FieldSuggestions } from '@/components/fields/field-suggestions.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { formFields, type FormFieldsProps } from '@/components/kit/form-fields.ts'
import type { FieldErrors, FormText } from '@/lib/forms/form-merge.ts'
import { carriersQuery } from '../orders.queries.ts'
import { amountProblem } from './amount-fields.tsx'
import { t } from '@/lib/i18n/messages.ts'

export type TrackingField = 'carrier' | 'tracking_number' | 'tracking_url' | 'postage_amount'

export const NO_TRACKING: FormText<TrackingField> = {
  carrier: '',
  tracking_number: '',
  tracking_url: '',
  postage_amount: '',
}

export const TRACKING_LABELS = {
  carrier: t('Carrier'),
  tracking_number: t('Tracking number'),
  tracking_url: t('Tracking link'),
  postage_amount: t('Postage'),
} as const

/** Returns the error of a typed postage at its field, or null if it is valid. An empty postage is valid. */
export function postageErrors(
  { postage_amount: text }: FormText<TrackingField>,
  currency: string,
): FieldErrors<TrackingField> | null {
  const problem = amountProblem(text, currency)
  return problem === null ? null : { postage_amount: problem }
}

interface TrackingFieldsProps extends FormFieldsProps<TrackingField> {
  /** The currency of the order. */
  currency: string
}

/** The carrier, number, link and postage of a parcel. The carriers that were used last are suggested. */
export function TrackingFields({ currency, ...form }: TrackingFieldsProps) {
  const { data: carriers } = useQuery(carriersQuery())
  const { field, input } = formFields({ ...form, labels: TRACKING_LABELS })
  const hint = t('Paid by the shop, subtracted from the margin')
  return (
    <>
      <Field {...field('carrier')}>
        <FieldSuggestions options={carriers ?? []}>
          {(listId) => <Input {...input('carrier')} list={listId} maxLength={100} dir="auto" />}
        </FieldSuggestions>
      </Field>
      <Field {...field('tracking_number')}>
        <Input {...input('tracking_number')} maxLength={200} className="code" />
      </Field>
      <Field {...field('tracking_url')} className="col-span-full">
        <Input {...input('tracking_url')} inputMode="url" placeholder="https://" />
      </Field>
      <Field {...field('postage_amount', hint)} hint={hint}>
        <Input {...input('postage_amount')} inputMode="decimal" autoComplete="off" unit={currency} />
      </Field>
    </>
  )
}
