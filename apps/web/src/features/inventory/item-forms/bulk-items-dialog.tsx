import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import type { BulkItemsBody } from '@pegasus/contracts/inventory/item-changes'
import type { BulkResult } from '@pegasus/contracts/stl-library/model-changes'
import { ITEM_STATUSES } from '@pegasus/contracts/statuses'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { FailedRows } from '@/components/failed-rows.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { Checkbox } from '@/components/ui/forms/checkbox.tsx'
import { Dialog } from '@/components/ui/overlays/dialog.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input, type InputProps } from '@/components/ui/forms/input.tsx'
import { Select } from '@/components/ui/forms/select.tsx'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import type { Selection } from '@/components/use-selection.ts'
import { errorMessage } from '@/lib/http/api-error.ts'
import { useConfig } from '@/lib/http/config.ts'
import { differing, type FieldErrors } from '@/lib/forms/form-merge.ts'
import { formatNumberOf } from '@/lib/format/format.ts'
import { Offered } from '../items/field-suggestions.tsx'
import { BinInput, LocationInput } from '../locations/location-inputs.tsx'
import { EMPTY_ITEM, ITEM_LABELS, type ItemField, readItemEdit } from './item-form.ts'
import { materialsQuery } from './material-suggestions.ts'
import { useBulkItems } from './use-item-mutations.ts'

const BULK_FIELDS = [
  'status',
  'reorder_point',
  'max_stock',
  'selling_price',
  'location',
  'bin_location',
  'material_used',
  'color',
] as const satisfies readonly ItemField[]
type BulkField = (typeof BULK_FIELDS)[number]

/** As typed: an empty field leaves each item what it has. */
const UNCHANGED = Object.fromEntries(BULK_FIELDS.map((field) => [field, ''])) as Record<BulkField, string>

type Change = Omit<BulkItemsBody, 'ids'>

/** The change that a form asks for; null where it asks for none. */
function readChange(
  form: typeof UNCHANGED,
  leavesPlace: boolean,
): { change: Change | null; errors: FieldErrors<ItemField> } {
  const filled = BULK_FIELDS.filter((field) => form[field].trim() !== '')
  const { body, errors } = readItemEdit({ ...EMPTY_ITEM, ...form }, filled)
  if (!body) return { change: null, errors }
  const change: Change = { ...body, ...(leavesPlace && { location: null, bin_location: null }) }
  return { change: Object.keys(change).length > 0 ? change : null, errors: {} }
}

interface BulkItemsDialogProps {
  selection: Selection<InventoryItem>
  onClose: () => void
}

/** One change for all that are ticked. It stays open for those that it could not be made for. */
export function BulkItemsDialog({ selection, onClose }: BulkItemsDialogProps) {
  const { things, keep } = selection
  const [form, setForm] = useState(UNCHANGED)
  const [leavesPlace, setLeavesPlace] = useState(false)
  const [errors, setErrors] = useState<FieldErrors<ItemField>>({})
  const [failure, setFailure] = useState<string | null>(null)
  const [failed, setFailed] = useState<BulkResult['failed']>([])
  const currency = useConfig()?.currency
  const materials = useQuery(materialsQuery)
  const bulk = useBulkItems()

  const change = (part: Partial<typeof UNCHANGED>) => {
    setForm((now) => ({ ...now, ...part }))
    setErrors({})
  }
  const input = (field: BulkField): InputProps => ({
    value: form[field],
    autoComplete: 'off',
    onChange: (event) => change({ [field]: event.target.value }),
  })
  const props = (field: BulkField) => ({ label: ITEM_LABELS[field], error: errors[field] })
  const handleSubmit = () => {
    const read = readChange(form, leavesPlace)
    setErrors(read.errors)
    setFailure(null)
    if (!read.change) {
      if (Object.keys(read.errors).length === 0) setFailure('Please choose what to change.')
      return
    }
    bulk.mutate(
      { ids: [...things.keys()], ...read.change },
      {
        onSuccess: (result) => {
          if (result.changed.length > 0)
            toast({ title: `${formatNumberOf(result.changed.length, 'item')} changed` })
          setFailed(result.failed)
          if (result.failed.length === 0) return onClose()
          keep(result.failed.map(({ id }) => id))
        },
        onError: (error) => setFailure(errorMessage(error, 'That did not work. Please try again.')),
      },
    )
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Edit ${formatNumberOf(things.size, 'item')}`}
      description="What is left empty stays as it is."
      error={failure}
      hasChanges={leavesPlace || differing(UNCHANGED, form).length > 0}
      onSubmit={handleSubmit}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isPending={bulk.isPending}>
            Save
          </Button>
        </>
      }
    >
      <div className="grid grid-cols-2 items-start gap-4 phone:grid-cols-1">
        {failed.length > 0 ? (
          <FailedRows
            one="item"
            failed={failed}
            nameOf={(id) => things.get(id)?.name ?? id}
            className="col-span-full"
          />
        ) : null}
        <Field {...props('status')}>
          <Select value={form.status} onChange={(event) => change({ status: event.target.value })}>
            <option value="">Leave as it is</option>
            {ITEM_STATUSES.map((status) => (
              <option key={status}>{status}</option>
            ))}
          </Select>
        </Field>
        <Field {...props('selling_price')}>
          <Input {...input('selling_price')} inputMode="decimal" {...(currency && { unit: currency })} />
        </Field>
        <Field {...props('reorder_point')}>
          <Input {...input('reorder_point')} inputMode="numeric" />
        </Field>
        <Field {...props('max_stock')}>
          <Input {...input('max_stock')} inputMode="numeric" />
        </Field>
        <Field {...props('location')}>
          <LocationInput
            value={form.location}
            isDisabled={leavesPlace}
            onChange={(location) => change({ location })}
          />
        </Field>
        <Field {...props('bin_location')}>
          <BinInput
            location={form.location}
            value={form.bin_location}
            isDisabled={leavesPlace}
            onChange={(bin_location) => change({ bin_location })}
          />
        </Field>
        <Checkbox
          label="Remove the location"
          checked={leavesPlace}
          onChange={(event) => {
            setLeavesPlace(event.target.checked)
            change({ location: '', bin_location: '' })
          }}
          className="col-span-full"
        />
        <Field {...props('material_used')}>
          <Offered options={materials.data ?? []}>
            {(list) => <Input {...input('material_used')} list={list} maxLength={100} />}
          </Offered>
        </Field>
        <Field {...props('color')}>
          <Input {...input('color')} maxLength={100} dir="auto" />
        </Field>
      </div>
    </Dialog>
  )
}
