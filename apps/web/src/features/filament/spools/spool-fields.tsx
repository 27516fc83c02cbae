import { MATERIAL_DENSITIES } from '@pegasus/contracts/filament/filament-weight'
import { COMMON_SPOOL_GRAMS } from '@pegasus/contracts/filament/spools'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef } from 'react'
import { FieldSuggestions } from '@/components/fields/field-suggestions.tsx'
import { type FormFieldsProps, formFields } from '@/components/kit/form-fields.ts'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { Textarea } from '@/components/ui/forms/textarea.tsx'
import { useConfig } from '@/lib/http/config.ts'
import { locationNamesQuery, materialsQuery } from '../filament.queries.ts'
import { ColorField } from '@/components/fields/color-field.tsx'
import { SPOOL_LABELS, type SpoolForm, withMaterial } from './spool-form.ts'
import { t } from '@/lib/i18n/messages.ts'

interface SpoolFieldsProps extends FormFieldsProps<keyof SpoolForm> {
  /** Additional fields, shown before the cost. */
  children?: ReactNode
  /** True to collapse the fields that a new spool rarely needs. A field with an error is always shown. */
  isFolded?: boolean
}

const COMMON_MATERIALS = Object.keys(MATERIAL_DENSITIES)

/** The input fields of a spool and its filament. */
export function SpoolFields({ form, change, errors, hintOf, children, isFolded = false }: SpoolFieldsProps) {
  const currency = useConfig()?.currency
  const materials = useQuery(materialsQuery)
  const locations = useQuery(locationNamesQuery)
  const { field, input, number, textarea } = formFields({
    form,
    change,
    labels: SPOOL_LABELS,
    errors,
    hintOf,
  })
  const materialOptions = new Map(
    [...(materials.data ?? []), ...COMMON_MATERIALS].map((each) => [each.toUpperCase(), each]),
  )
  const fold = (fields: readonly (keyof SpoolForm)[]) => ({
    isFolded,
    hasError: fields.some((name) => errors[name] !== undefined),
  })
  return (
    <div className="flex flex-col gap-4">
      <Group name={t('Filament')}>
        <Field {...field('material')} isRequired>
          <FieldSuggestions options={[...materialOptions.values()]}>
            {(list) => (
              <Input
                {...input('material')}
                list={list}
                maxLength={64}
                onChange={(event) => change(withMaterial(form, event.target.value))}
              />
            )}
          </FieldSuggestions>
        </Field>
        <Field {...field('brand')}>
          <Input {...input('brand')} maxLength={64} />
        </Field>
        <Field {...field('name', t('Defaults to the name of the material'))}>
          <Input {...input('name')} maxLength={64} />
        </Field>
        <Field {...field('color')}>
          <Input {...input('color')} maxLength={64} />
        </Field>
        <Field {...field('color_hex')}>
          <ColorField value={form.color_hex} onChange={(color_hex) => change({ color_hex })} />
        </Field>
      </Group>
      <Group name={t('This spool')}>
        <Field {...field('weight_grams')}>
          <FieldSuggestions options={COMMON_SPOOL_GRAMS.map(String)}>
            {(list) => <Input {...number('weight_grams', 'g')} list={list} />}
          </FieldSuggestions>
        </Field>
        <Field
          {...field(
            'spool_weight_grams',
            t('Weight of the empty spool, subtracted from the scale’s reading'),
          )}
        >
          <Input {...number('spool_weight_grams', 'g')} />
        </Field>
        {children}
        <Field {...field('cost')}>
          <Input {...number('cost', currency)} />
        </Field>
        <Field {...field('location')}>
          <FieldSuggestions options={locations.data ?? []}>
            {(list) => (
              <Input {...input('location')} list={list} maxLength={200} placeholder={t('Shelf F1')} />
            )}
          </FieldSuggestions>
        </Field>
      </Group>
      <Group name={t('Print settings and reordering')} {...fold(PRINT_FIELDS)}>
        <div className="grid grid-cols-2 gap-3">
          <Field {...field('low_stock_grams', t('Shared by all its spools'))}>
            <Input {...number('low_stock_grams', 'g')} />
          </Field>
          <Field {...field('drying_interval_days')}>
            <Input {...number('drying_interval_days', t('days'))} inputMode="numeric" />
          </Field>
        </div>
        <Field {...field('diameter_mm')}>
          <FieldSuggestions options={['1.75', '2.85']}>
            {(list) => <Input {...number('diameter_mm', 'mm')} list={list} />}
          </FieldSuggestions>
        </Field>
        <Field {...field('density_g_cm3', t('Filled in from the material; edit if needed'))}>
          <Input {...number('density_g_cm3', 'g/cm³')} className="[&>input]:pe-16" />
        </Field>
        <div className="grid grid-cols-2 gap-3">
          <Field {...field('nozzle_temp_c')}>
            <Input {...number('nozzle_temp_c', '°C')} />
          </Field>
          <Field {...field('bed_temp_c')}>
            <Input {...number('bed_temp_c', '°C')} />
          </Field>
        </div>
      </Group>
      <Group name={t('Lot, dates and notes')} {...fold(RECORD_FIELDS)}>
        <Field {...field('lot_number')}>
          <Input {...input('lot_number')} maxLength={64} />
        </Field>
        <Field {...field('opened_at')}>
          <Input {...input('opened_at')} type="date" />
        </Field>
        <Field {...field('dried_at')}>
          <Input {...input('dried_at')} type="date" />
        </Field>
        <Field {...field('notes')} className="col-span-full">
          <Textarea {...textarea('notes')} />
        </Field>
      </Group>
    </div>
  )
}

/** Fields whose defaults come from the material, so that a new spool rarely needs other values. */
const PRINT_FIELDS = [
  'low_stock_grams',
  'drying_interval_days',
  'diameter_mm',
  'density_g_cm3',
  'nozzle_temp_c',
  'bed_temp_c',
] as const
/** Fields that people fill in later, if at all. */
const RECORD_FIELDS = ['lot_number', 'opened_at', 'dried_at', 'notes'] as const

interface GroupProps {
  name: string
  /** True if the group starts collapsed. It opens when its name is clicked or a field in it has an error. */
  isFolded?: boolean
  hasError?: boolean
  children: ReactNode
}

const GRID = 'grid grid-cols-3 items-start gap-x-4 gap-y-3 phone:grid-cols-1'

function Group({ name, isFolded = false, hasError = false, children }: GroupProps) {
  const details = useRef<HTMLDetailsElement>(null)
  // The group stays open after the error is fixed, because the person is typing in it.
  useEffect(() => {
    if (hasError && details.current) details.current.open = true
  }, [hasError])
  if (isFolded)
    return (
      <details ref={details} className="border-t border-line pt-2">
        <summary className="min-h-7 cursor-pointer font-semibold phone:min-h-11 phone:content-center">
          {name}
        </summary>
        <fieldset className={`${GRID} mt-2 min-w-0`} aria-label={name}>
          {children}
        </fieldset>
      </details>
    )
  return (
    <fieldset className="min-w-0">
      <legend className="mb-2 font-semibold">{name}</legend>
      <div className={GRID}>{children}</div>
    </fieldset>
  )
}
