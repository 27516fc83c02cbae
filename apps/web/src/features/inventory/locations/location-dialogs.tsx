import {
  createLocation,
  getLocation,
  type Location,
  LOCATION_NAME_MAX_LENGTH,
  updateLocation,
} from '@pegasus/contracts/inventory/locations'
import { useState } from 'react'
import { EditDialog } from '@/components/kit/edit-dialog.tsx'
import { FormDialog } from '@/components/kit/form-dialog.tsx'
import { type FormFieldsProps, formFields } from '@/components/kit/form-fields.ts'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { Options, Select } from '@/components/ui/forms/select.tsx'
import { Textarea } from '@/components/ui/forms/textarea.tsx'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { callApi, editCalls } from '@/lib/http/api.ts'
import { useNewForm } from '@/lib/forms/use-text-form.ts'
import {
  formOf,
  LOCATION_LABELS,
  type LocationForm,
  readNewLocation,
  readLocationEdit,
} from './location-form.ts'
import { useLocationRefresh } from './locations.queries.ts'
import { listPossibleParents } from './build-location-tree.ts'
import { t } from '@/lib/i18n/messages.ts'

interface LocationFieldsProps extends FormFieldsProps<keyof LocationForm> {
  /** The places that can contain the location. */
  parents: readonly Location[]
}

function LocationFields({ parents, ...state }: LocationFieldsProps) {
  const { field, input, select, textarea } = formFields<keyof LocationForm>({
    ...state,
    labels: LOCATION_LABELS,
  })
  return (
    <>
      <Field {...field('name')} isRequired>
        <Input
          {...input('name')}
          maxLength={LOCATION_NAME_MAX_LENGTH}
          autoFocus
          placeholder={t('Rack A3')}
          dir="auto"
        />
      </Field>
      <Field {...field('parent_id')}>
        <Select {...select('parent_id')}>
          <option value="">{t('None (top level)')}</option>
          <Options of={parents.map(({ id, path }) => ({ value: id, label: path }))} />
        </Select>
      </Field>
      <Field {...field('notes')}>
        <Textarea {...textarea('notes')} />
      </Field>
    </>
  )
}

interface AddLocationDialogProps {
  locations: readonly Location[]
  /** The preselected parent; null for the root. */
  parent: Location | null
  onAdded: (location: Location) => void
  onClose: () => void
}

/** Creates a place or a bin. */
export function AddLocationDialog({ locations, parent, onAdded, onClose }: AddLocationDialogProps) {
  const [kind, setKind] = useState<string>('place')
  const refresh = useLocationRefresh()
  const state = useNewForm({
    start: { name: '', parent_id: parent?.id ?? '', notes: '' },
    read: (form) => readNewLocation(form, kind),
    create: async (body, headers) => {
      const added = await callApi(createLocation, { body, headers })
      toast({ title: t('{path} added as {label_code}', { path: added.path, label_code: added.label_code }) })
      refresh()
      onAdded(added)
      onClose()
    },
  })
  return (
    <FormDialog
      state={state}
      submitLabel={t('Add location')}
      onClose={onClose}
      title={t('Add location')}
      size="sm"
    >
      <div className="flex flex-col gap-4">
        <Field
          label={t('Kind')}
          hint={t('A place can contain places and bins. A bin contains no further locations.')}
        >
          <Select value={kind} onChange={(event) => setKind(event.target.value)}>
            <option value="place">{t('Place')}</option>
            <option value="bin">{t('Bin')}</option>
          </Select>
        </Field>
        <LocationFields
          form={state.form}
          change={state.change}
          errors={state.errors}
          parents={listPossibleParents(locations, null)}
        />
      </div>
    </FormDialog>
  )
}

interface EditLocationDialogProps {
  locations: readonly Location[]
  location: Location
  onClose: () => void
}

export function EditLocationDialog({ locations, location, onClose }: EditLocationDialogProps) {
  const pathOf = (id: string) => locations.find((other) => other.id === id)?.path ?? id
  return (
    <EditDialog
      title={t('Edit {name}', { name: location.name })}
      description={t('Its contents move with it; the label stays valid.')}
      size="sm"
      thing={location}
      formOf={formOf}
      labels={LOCATION_LABELS}
      describeValue={(field, text) => (field === 'parent_id' && text !== '' ? pathOf(text) : text)}
      read={readLocationEdit}
      {...editCalls(getLocation, updateLocation, { id: location.id })}
      savedText={(saved) => t('{path} saved', { path: saved.path })}
      onSaved={useLocationRefresh()}
      onClose={onClose}
    >
      {({ form, change, errors, hintOf }) => (
        <div className="flex flex-col gap-4">
          <LocationFields
            form={form}
            change={change}
            errors={errors}
            hintOf={hintOf}
            parents={listPossibleParents(locations, location)}
          />
        </div>
      )}
    </EditDialog>
  )
}
