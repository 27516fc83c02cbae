import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import type { UpdateItemBody } from '@pegasus/contracts/inventory/item-changes'
import type { BulkResult } from '@pegasus/contracts/stl-library/model-changes'
import { ITEM_STATUSES } from '@pegasus/contracts/statuses'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { FailedRows } from '@/components/selection/failed-rows.tsx'
import { FormDialog } from '@/components/kit/form-dialog.tsx'
import { formFields } from '@/components/kit/form-fields.ts'
import { Checkbox } from '@/components/ui/forms/checkbox.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { Options, Select } from '@/components/ui/forms/select.tsx'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import type { Selection } from '@/components/selection/use-selection.ts'
import { errorMessage } from '@/lib/http/api-error.ts'
import { useConfig } from '@/lib/http/config.ts'
import type { FormText, ReadResult } from '@/lib/forms/form-merge.ts'
import { useNewForm } from '@/lib/forms/use-text-form.ts'
import { FieldSuggestions } from '../../../components/fields/field-suggestions.tsx'
import { BinInput, LocationInput } from '../locations/location-inputs.tsx'
import { STOCK_LIMITS } from './item-fields.tsx'
import { BulkPreview } from './bulk-preview.tsx'
import { EMPTY_ITEM, ITEM_LABELS, type ItemForm, readItemEdit } from './item-form.ts'
import { materialsQuery } from './material-suggestions.ts'
import { useBulkItems } from './use-item-mutations.ts'
import { t } from '@/lib/i18n/messages.ts'
import { STATUS_LABELS } from '@/lib/i18n/statuses.ts'

const BULK_FIELDS = [
  'status',
  'reorder_point',
  'max_stock',
  'selling_price',
  'location',
  'bin_location',
  'material_used',
  'color',
] as const satisfies readonly (keyof ItemForm)[]
type BulkField = (typeof BULK_FIELDS)[number]

/** The initial form. An empty field leaves the value of each item unchanged. */
const UNCHANGED = Object.fromEntries(BULK_FIELDS.map((field) => [field, ''])) as FormText<BulkField>

const NO_CHANGE = t('Please choose what to change.')

interface BulkItemsDialogProps {
  selection: Selection<InventoryItem>
  onClose: () => void
}

/**
 * Applies one change to all selected items. If the change fails for some items, the dialog stays open and
 * only these items stay selected.
 */
export function BulkItemsDialog({ selection, onClose }: BulkItemsDialogProps) {
  const { things, keep } = selection
  const [removesLocation, setRemovesLocation] = useState(false)
  const [failed, setFailed] = useState<BulkResult['failed']>([])
  const currency = useConfig()?.currency
  const materials = useQuery(materialsQuery)
  const bulk = useBulkItems()
  const state = useNewForm({
    start: UNCHANGED,
    read: (fields: FormText<BulkField>): ReadResult<UpdateItemBody, keyof ItemForm> =>
      readItemEdit(
        { ...EMPTY_ITEM, ...fields },
        BULK_FIELDS.filter((field) => fields[field].trim() !== ''),
      ),
    create: async (body) => {
      const change = { ...body, ...(removesLocation && { location: null, bin_location: null }) }
      if (Object.keys(change).length === 0) throw new Error(NO_CHANGE)
      const result = await bulk.mutateAsync({ ids: [...things.keys()], ...change })
      if (result.changed.length > 0)
        toast({
          title: t('{changed, plural, one {# item} other {# items}} changed', {
            changed: result.changed.length,
          }),
        })
      setFailed(result.failed)
      if (result.failed.length === 0) onClose()
      else keep(result.failed.map(({ id }) => id))
    },
    describeError: (error) =>
      error instanceof Error && error.message === NO_CHANGE
        ? NO_CHANGE
        : errorMessage(error, t('That did not work. Please try again.')),
  })
  const { form, change, errors } = state
  const { field, input, number, select } = formFields<BulkField>({
    form,
    change,
    labels: ITEM_LABELS,
    errors,
  })
  return (
    <FormDialog
      state={{ ...state, hasChanges: state.hasChanges || removesLocation }}
      submitLabel={t('Save')}
      onClose={onClose}
      title={t('Edit {things, plural, one {# item} other {# items}}', { things: things.size })}
      description={t('Empty fields stay unchanged.')}
    >
      <div className="grid grid-cols-2 items-start gap-4 phone:grid-cols-1">
        <FailedRows
          one="item"
          failed={failed}
          nameOf={(id) => things.get(id)?.name ?? id}
          className="col-span-full"
        />
        <Field {...field('status')}>
          <Select {...select('status')}>
            <option value="">{t('Leave unchanged')}</option>
            <Options of={ITEM_STATUSES.map((each) => ({ value: each, label: STATUS_LABELS[each] }))} />
          </Select>
        </Field>
        <Field {...field('selling_price')}>
          <Input {...number('selling_price', currency)} />
        </Field>
        {STOCK_LIMITS.map((name) => (
          <Field key={name} {...field(name)}>
            <Input {...input(name)} inputMode="numeric" />
          </Field>
        ))}
        <Field {...field('location')}>
          <LocationInput
            value={form.location}
            isDisabled={removesLocation}
            onChange={(location) => change({ location })}
          />
        </Field>
        <Field {...field('bin_location')}>
          <BinInput
            location={form.location}
            value={form.bin_location}
            isDisabled={removesLocation}
            onChange={(bin_location) => change({ bin_location })}
          />
        </Field>
        <Checkbox
          label={t('Remove the location')}
          checked={removesLocation}
          onChange={(event) => {
            setRemovesLocation(event.target.checked)
            change({ location: '', bin_location: '' })
          }}
          className="col-span-full"
        />
        <Field {...field('material_used')}>
          <FieldSuggestions options={materials.data ?? []}>
            {(list) => <Input {...input('material_used')} list={list} maxLength={100} />}
          </FieldSuggestions>
        </Field>
        <Field {...field('color')}>
          <Input {...input('color')} maxLength={100} dir="auto" />
        </Field>
        <BulkPreview
          items={[...things.values()]}
          next={{
            ...Object.fromEntries(
              BULK_FIELDS.filter((name) => form[name].trim() !== '').map((name) => [name, form[name]]),
            ),
            ...(removesLocation && { location: '', bin_location: '' }),
          }}
        />
      </div>
    </FormDialog>
  )
}
