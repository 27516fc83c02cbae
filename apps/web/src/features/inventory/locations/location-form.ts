import {
  type CreateLocationBody,
  createLocationBody,
  type Location,
  LOCATION_KINDS,
  type UpdateLocationBody,
  updateLocationBody,
} from '@pegasus/contracts/inventory/locations'
import { errorsAtFields, type FieldErrors, type FormText } from '@/lib/forms/form-merge.ts'

export const PLACE_LABELS = { name: 'Name', parent_id: 'In', notes: 'Notes' } as const
export type LocationField = keyof typeof PLACE_LABELS
export type LocationForm = FormText<LocationField>

const isPlaceField = (name: string): name is LocationField => name in PLACE_LABELS

export const formOf = ({ name, parent_id, notes }: Location): LocationForm => ({
  name,
  parent_id: parent_id ?? '',
  notes: notes ?? '',
})

type Read<Body> = { body: Body; errors: null } | { body: null; errors: FieldErrors<LocationField> }

const wireOf = (form: LocationForm) => ({ ...form, parent_id: form.parent_id === '' ? null : form.parent_id })

export function readNewLocation(form: LocationForm, kindText: string): Read<CreateLocationBody> {
  const kind = LOCATION_KINDS.find((each) => each === kindText) ?? 'place'
  const parsed = createLocationBody.safeParse({ ...wireOf(form), kind })
  if (parsed.success) return { body: parsed.data, errors: null }
  return { body: null, errors: errorsAtFields(parsed.error.issues, isPlaceField) }
}

export function readLocationEdit(
  form: LocationForm,
  changed: readonly LocationField[],
): Read<UpdateLocationBody> {
  const wire = wireOf(form)
  const parsed = updateLocationBody.safeParse(
    Object.fromEntries(changed.map((field) => [field, wire[field]])),
  )
  if (parsed.success) return { body: parsed.data, errors: null }
  return { body: null, errors: errorsAtFields(parsed.error.issues, isPlaceField) }
}
