import { useQuery } from '@tanstack/react-query'
import { FieldSuggestions } from '@/components/fields/field-suggestions.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import type { FieldErrors, FormText } from '@/lib/forms/form-merge.ts'
import { carriersQuery } from '../orders.queries.ts'

export type TrackingField = 'carrier' | 'tracking_number' | 'tracking_url'

export const NO_TRACKING: FormText<TrackingField> = { carrier: '', tracking_number: '', tracking_url: '' }

interface TrackingFieldsProps {
  bind: (name: TrackingField) => { value: string; onChange: (event: { target: { value: string } }) => void }
  errors: FieldErrors<TrackingField>
}

/** The carrier, number and link of a parcel. The carriers that were used last are suggested. */
export function TrackingFields({ bind, errors }: TrackingFieldsProps) {
  const { data: carriers } = useQuery(carriersQuery())
  return (
    <>
      <Field label="Carrier" error={errors.carrier}>
        <FieldSuggestions options={carriers ?? []}>
          {(listId) => (
            <Input {...bind('carrier')} list={listId} maxLength={100} autoComplete="off" dir="auto" />
          )}
        </FieldSuggestions>
      </Field>
      <Field label="Tracking number" error={errors.tracking_number}>
        <Input {...bind('tracking_number')} maxLength={200} autoComplete="off" className="code" />
      </Field>
      <Field label="Tracking link" error={errors.tracking_url} className="col-span-full">
        <Input {...bind('tracking_url')} inputMode="url" autoComplete="off" placeholder="https://" />
      </Field>
    </>
  )
}
