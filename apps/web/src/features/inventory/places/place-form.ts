import {
  type CreateLocationBody,
  createLocationBody,
  type Location,
  LOCATION_KINDS,
  type UpdateLocationBody,
  updateLocationBody,
} from '@pegasus/contracts/locations'
import { errorsAtFields, type FieldErrors, type FormText } from '@/lib/editing/form-merge.ts'

export const PLACE_LABELS = { name: 'Name', parent_id: 'In', notes: 'Notes' } as const
export type PlaceField = keyof typeof PLACE_LABELS
export type PlaceForm = FormText<PlaceField>

const isPlaceField = (name: string): name is PlaceField => name in PLACE_LABELS

export const formOf = ({ name, parent_id, notes }: Location): PlaceForm => ({
  name,
  parent_id: parent_id ?? '',
  notes: notes ?? '',
})

type Read<Body> = { body: Body; errors: null } | { body: null; errors: FieldErrors<PlaceField> }

const wireOf = (form: PlaceForm) => ({ ...form, parent_id: form.parent_id === '' ? null : form.parent_id })

export function readNewPlace(form: PlaceForm, kindText: string): Read<CreateLocationBody> {
  const kind = LOCATION_KINDS.find((each) => each === kindText) ?? 'place'
  const parsed = createLocationBody.safeParse({ ...wireOf(form), kind })
  if (parsed.success) return { body: parsed.data, errors: null }
  return { body: null, errors: errorsAtFields(parsed.error.issues, isPlaceField) }
}

export function readPlaceEdit(form: PlaceForm, changed: readonly PlaceField[]): Read<UpdateLocationBody> {
  const wire = wireOf(form)
  const parsed = updateLocationBody.safeParse(
    Object.fromEntries(changed.map((field) => [field, wire[field]])),
  )
  if (parsed.success) return { body: parsed.data, errors: null }
  return { body: null, errors: errorsAtFields(parsed.error.issues, isPlaceField) }
}
