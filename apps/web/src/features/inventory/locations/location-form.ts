import {
  type CreateLocationBody,
  createLocationBody,
  type Location,
  LOCATION_KINDS,
  type UpdateLocationBody,
  updateLocationBody,
} from '@pegasus/contracts/inventory/locations'
import { type FormText, pickFields, type ReadResult, readResult } from '@/lib/forms/form-merge.ts'
import { t } from '@/lib/i18n/messages.ts'

export const LOCATION_LABELS = { name: t('Name'), parent_id: t('In'), notes: t('Notes') } as const
export type LocationForm = FormText<keyof typeof LOCATION_LABELS>

export const formOf = ({ name, parent_id, notes }: Location): LocationForm => ({
  name,
  parent_id: parent_id ?? '',
  notes: notes ?? '',
})

const wireOf = (form: LocationForm) => ({ ...form, parent_id: form.parent_id === '' ? null : form.parent_id })

export function readNewLocation(
  form: LocationForm,
  kindText: string,
): ReadResult<CreateLocationBody, keyof LocationForm> {
  const kind = LOCATION_KINDS.find((each) => each === kindText) ?? 'place'
  return readResult(createLocationBody.safeParse({ ...wireOf(form), kind }), LOCATION_LABELS)
}

export const readLocationEdit = (
  form: LocationForm,
  changed: readonly (keyof LocationForm)[],
): ReadResult<UpdateLocationBody, keyof LocationForm> =>
  readResult(updateLocationBody.safeParse(pickFields(wireOf(form), changed)), LOCATION_LABELS)
