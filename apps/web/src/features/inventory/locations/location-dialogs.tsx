import {
  createLocation,
  getLocation,
  type Location,
  LOCATION_NAME_MAX_LENGTH,
  type UpdateLocationBody,
  updateLocation,
} from '@pegasus/contracts/inventory/locations'
import { useState } from 'react'
import { Meanwhile } from '@/components/edit-conflict.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { Dialog } from '@/components/ui/overlays/dialog.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { Select } from '@/components/ui/forms/select.tsx'
import { Textarea } from '@/components/ui/forms/textarea.tsx'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { callApi } from '@/lib/http/api.ts'
import { ApiError, errorMessage } from '@/lib/http/api-error.ts'
import { differing, errorsAtFields, type FieldErrors } from '@/lib/forms/form-merge.ts'
import { useMergedEdit } from '@/lib/forms/use-merged-edit.ts'
import { useRetryKey } from '@/lib/http/use-retry-key.ts'
import {
  formOf,
  PLACE_LABELS,
  type LocationField,
  type LocationForm,
  readNewLocation,
  readLocationEdit,
} from './location-form.ts'
import { useLocationRefresh } from './locations.queries.ts'
import { locationOptions } from './build-location-tree.ts'

interface PlaceFieldsProps {
  form: LocationForm
  change: (part: Partial<LocationForm>) => void
  errors: FieldErrors<LocationField>
  /** Places that it may be in. */
  places: readonly Location[]
}

const PlaceFields = ({ form, change, errors, places }: PlaceFieldsProps) => (
  <>
    <Field label={PLACE_LABELS.name} isRequired error={errors.name}>
      <Input
        value={form.name}
        maxLength={LOCATION_NAME_MAX_LENGTH}
        autoComplete="off"
        autoFocus
        placeholder="Rack A3"
        dir="auto"
        onChange={(event) => change({ name: event.target.value })}
      />
    </Field>
    <Field label={PLACE_LABELS.parent_id} error={errors.parent_id}>
      <Select value={form.parent_id} onChange={(event) => change({ parent_id: event.target.value })}>
        <option value="">Nothing, it stands by itself</option>
        {places.map(({ id, path }) => (
          <option key={id} value={id}>
            {path}
          </option>
        ))}
      </Select>
    </Field>
    <Field label={PLACE_LABELS.notes} error={errors.notes}>
      <Textarea
        rows={2}
        value={form.notes}
        dir="auto"
        onChange={(event) => change({ notes: event.target.value })}
      />
    </Field>
  </>
)

interface AddPlaceDialogProps {
  locations: readonly Location[]
  /** The place that it is to be in; null at the root. */
  parent: Location | null
  onAdded: (location: Location) => void
  onClose: () => void
}

/** A new place or bin. */
export function AddLocationDialog({ locations, parent, onAdded, onClose }: AddPlaceDialogProps) {
  const [start] = useState<LocationForm>({ name: '', parent_id: parent?.id ?? '', notes: '' })
  const [form, setForm] = useState(start)
  const [kind, setKind] = useState<string>('place')
  const [errors, setErrors] = useState<FieldErrors<LocationField>>({})
  const [failure, setFailure] = useState<string | null>(null)
  const [isPending, setIsPending] = useState(false)
  const retryKey = useRetryKey()
  const refresh = useLocationRefresh()
  const submit = async () => {
    const { body, errors: found } = readNewLocation(form, kind)
    setErrors(found ?? {})
    setFailure(null)
    if (!body) return
    setIsPending(true)
    try {
      const added = await callApi(createLocation, { body, headers: retryKey(body) })
      toast({ title: `${added.path} added as ${added.label_code}` })
      refresh()
      onAdded(added)
      onClose()
    } catch (error) {
      if (error instanceof ApiError)
        setErrors(errorsAtFields(error.errors, (name): name is LocationField => name in PLACE_LABELS))
      setFailure(errorMessage(error, 'That did not work. Please try again.'))
      setIsPending(false)
    }
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Add location"
      size="sm"
      error={failure}
      hasChanges={differing(start, form).length > 0}
      onSubmit={() => void submit()}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isPending={isPending}>
            Add location
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <Field label="Kind" hint="A place holds places and bins; a bin holds things alone.">
          <Select value={kind} onChange={(event) => setKind(event.target.value)}>
            <option value="place">Place</option>
            <option value="bin">Bin</option>
          </Select>
        </Field>
        <PlaceFields
          form={form}
          change={(part) => {
            setForm((now) => ({ ...now, ...part }))
            setErrors({})
          }}
          errors={errors}
          places={locationOptions(locations, null)}
        />
      </div>
    </Dialog>
  )
}

interface EditPlaceDialogProps {
  locations: readonly Location[]
  location: Location
  onClose: () => void
}

/** Another name or another place for a location; what lies there goes along. */
export function EditLocationDialog({ locations, location, onClose }: EditPlaceDialogProps) {
  const refresh = useLocationRefresh()
  const params = { id: location.id }
  const edit = useMergedEdit({
    thing: location,
    formOf,
    read: readLocationEdit,
    save: ({ body, revision }: { body: UpdateLocationBody; revision: number }) =>
      callApi(updateLocation, { params, body, headers: { 'If-Match': `"${revision}"` } }),
    reread: () => callApi(getLocation, { params }),
    onSaved: (saved) => {
      if (saved) {
        toast({ title: `${saved.path} saved` })
        refresh()
      }
      onClose()
    },
  })
  const { form, change, errors, merge } = edit
  const pathOf = (id: string) => locations.find((other) => other.id === id)?.path ?? id
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Edit ${location.name}`}
      description="What lies there goes along, and its label stays good."
      size="sm"
      error={edit.failure}
      hasChanges={edit.hasChanges}
      onSubmit={() => void edit.submit()}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isPending={edit.isPending}>
            {merge ? 'Save again' : 'Save'}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {merge ? (
          <Meanwhile
            merge={merge}
            labels={PLACE_LABELS}
            wordsOf={(field, text) => (field === 'parent_id' && text !== '' ? pathOf(text) : text)}
          />
        ) : null}
        <PlaceFields
          form={form}
          change={change}
          errors={errors}
          places={locationOptions(locations, location)}
        />
      </div>
    </Dialog>
  )
}
