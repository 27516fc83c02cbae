import { ITEM_NAME_MAX_LENGTH, SKU_MAX_LENGTH } from '@pegasus/contracts/inventory/items'
import { COLOR_MAX_LENGTH, MATERIAL_MAX_LENGTH } from '@pegasus/contracts/inventory/item-changes'
import { ITEM_STATUSES } from '@pegasus/contracts/statuses'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { formFields } from '@/components/kit/form-fields.ts'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input, type InputProps } from '@/components/ui/forms/input.tsx'
import { Options, Select } from '@/components/ui/forms/select.tsx'
import { Textarea } from '@/components/ui/forms/textarea.tsx'
import { useConfig } from '@/lib/http/config.ts'
import type { FieldErrors } from '@/lib/forms/form-merge.ts'
import { BinInput, LocationInput } from '../locations/location-inputs.tsx'
import { FieldSuggestions } from '../../../components/fields/field-suggestions.tsx'
import { ColorField } from '@/components/fields/color-field.tsx'
import {
  isNumberField,
  ITEM_LABELS,
  type ItemForm,
  type NewItemField,
  type NewItemForm,
  normalizeNumber,
} from './item-form.ts'
import { materialsQuery } from './material-suggestions.ts'
import { ModelPicker, type PickedModel } from './model-picker.tsx'
import { typedNumber } from '@/lib/forms/typed-number.ts'
import { t } from '@/lib/i18n/messages.ts'
import { STATUS_LABELS } from '@/lib/i18n/statuses.ts'

/** The fields for the reorder point and the maximum stock. */
export const STOCK_LIMITS = ['reorder_point', 'max_stock'] as const

/** Returns a warning if the maximum stock is below the reorder point, so that the item would always be low. */
function limitsHint({
  reorder_point: low,
  max_stock: max,
}: Pick<NewItemForm, 'reorder_point' | 'max_stock'>) {
  const [lowest, most] = [typedNumber(low), typedNumber(max)]
  return lowest !== null && most !== null && most < lowest
    ? t('Less than the reorder point: the stock would always be low')
    : undefined
}

interface ItemFieldsProps {
  /** The values of the fields. Only a new item has `copies`. */
  form: Omit<NewItemForm, 'copies'> & { copies?: string }
  change: (part: Partial<NewItemForm>) => void
  errors: FieldErrors<NewItemField>
  model: PickedModel | null
  onModel: (model: PickedModel | null) => void
  /** Returns a replacement for a field's own hint, for example a value that somebody else saved. */
  hintOf?: (field: keyof ItemForm) => ReactNode
}

/** The input fields of an item. */
export function ItemFields({ form, change, errors, model, onModel, hintOf }: ItemFieldsProps) {
  const currency = useConfig()?.currency
  const materials = useQuery(materialsQuery)
  const fields = formFields<NewItemField>({
    form,
    change,
    labels: { ...ITEM_LABELS, copies: t('Identical items') },
    errors,
    hintOf: (name) => (name === 'copies' ? null : hintOf?.(name)),
  })
  const { field, input, select, textarea } = fields
  const number = (name: NewItemField, unit?: string): InputProps => ({
    ...fields.number(name, unit),
    onBlur: ({ target: { value } }) => {
      const normalized = isNumberField(name) ? normalizeNumber(name, value) : value
      if (normalized !== value) change({ [name]: normalized })
    },
  })
  const isNew = form.copies !== undefined
  return (
    <div className="grid grid-cols-6 items-start gap-x-4 gap-y-3.5 *:col-span-2 phone:*:col-span-3">
      <Field {...field('name')} isRequired className="col-span-6!">
        <Input {...input('name')} maxLength={ITEM_NAME_MAX_LENGTH} dir="auto" autoFocus={isNew} />
      </Field>
      <Field
        {...field('sku', isNew ? t('Generated if empty') : undefined)}
        className="col-span-3! phone:col-span-6!"
      >
        <Input {...input('sku')} maxLength={SKU_MAX_LENGTH} spellCheck={false} className="code" />
      </Field>
      <Field {...field('stl_file_id')} className="col-span-3! phone:col-span-6!">
        <ModelPicker model={model} onChange={onModel} />
      </Field>
      <Field {...field('quantity', isNew ? undefined : t('A change is saved as a count'))} isRequired>
        <Input {...number('quantity')} inputMode="numeric" />
      </Field>
      {STOCK_LIMITS.map((name) => (
        <Field key={name} {...field(name, name === 'max_stock' ? limitsHint(form) : undefined)}>
          <Input {...number(name)} inputMode="numeric" />
        </Field>
      ))}
      <Field {...field('safety_stock', t('Not offered to the shop'))}>
        <Input {...number('safety_stock')} inputMode="numeric" />
      </Field>
      <Field {...field('status', t('On Hold and Reserved stay; other statuses follow the quantity'))}>
        <Select {...select('status')}>
          <Options of={ITEM_STATUSES.map((each) => ({ value: each, label: STATUS_LABELS[each] }))} />
        </Select>
      </Field>
      <Field {...field('location')}>
        <LocationInput value={form.location} onChange={(location) => change({ location })} />
      </Field>
      <Field {...field('bin_location')}>
        <BinInput
          location={form.location}
          value={form.bin_location}
          onChange={(bin_location) => change({ bin_location })}
        />
      </Field>
      <Field {...field('material_used')}>
        <FieldSuggestions options={materials.data ?? []}>
          {(list) => <Input {...input('material_used')} list={list} maxLength={MATERIAL_MAX_LENGTH} />}
        </FieldSuggestions>
      </Field>
      <Field {...field('color')}>
        <Input {...input('color')} maxLength={COLOR_MAX_LENGTH} dir="auto" />
      </Field>
      <Field {...field('color_hex')}>
        <ColorField value={form.color_hex} onChange={(color_hex) => change({ color_hex })} />
      </Field>
      <Field {...field('print_time_minutes')}>
        <Input {...number('print_time_minutes', t('min'))} inputMode="numeric" />
      </Field>
      <Field {...field('pieces_per_print')}>
        <Input {...number('pieces_per_print', t('pcs'))} inputMode="numeric" />
      </Field>
      <Field {...field('weight_grams')}>
        <Input {...number('weight_grams', 'g')} />
      </Field>
      <Field {...field('material_cost', t('Calculated if empty'))}>
        <Input {...number('material_cost', currency)} />
      </Field>
      <Field {...field('labor_cost', t('Calculated if empty'))}>
        <Input {...number('labor_cost', currency)} />
      </Field>
      <Field {...field('selling_price')}>
        <Input {...number('selling_price', currency)} />
      </Field>
      <Field {...field('print_settings')} className="col-span-6!">
        <Textarea {...textarea('print_settings')} placeholder="0.2 mm · 4 walls · 25 % gyroid" />
      </Field>
      <Field {...field('notes')} className={isNew ? 'col-span-4! phone:col-span-6!' : 'col-span-6!'}>
        <Textarea {...textarea('notes')} />
      </Field>
      {isNew ? (
        <Field {...field('copies', t('Each gets its own SKU'))} className="phone:col-span-6!">
          <Input {...number('copies')} inputMode="numeric" />
        </Field>
      ) : null}
    </div>
  )
}
