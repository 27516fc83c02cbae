import { useQuery } from '@tanstack/react-query'
import { FieldSuggestions } from '@/components/fields/field-suggestions.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { formFields, type FormFieldsProps } from '@/components/kit/form-fields.ts'
import type { FormText } from '@/lib/forms/form-merge.ts'
import { carriersQuery } from '../orders.queries.ts'
import { t } from '@/lib/i18n/messages.ts'

export type TrackingField = 'carrier' | 'tracking_number' | 'tracking_url'

export const NO_TRACKING: FormText<TrackingField> = { carrier: '', tracking_number: '', tracking_url: '' }

export const TRACKING_LABELS = {
  carrier: t('Carrier'),
  tracking_number: t('Tracking number'),
  tracking_url: t('Tracking link'),
} as const

/** The carrier, number and link of a parcel. The carriers that were used last are suggested. */
export function TrackingFields(form: FormFieldsProps<TrackingField>) {
  const { data: carriers } = useQuery(carriersQuery())
  const { field, input } = formFields({ ...form, labels: TRACKING_LABELS })
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
    </>
  )
}
