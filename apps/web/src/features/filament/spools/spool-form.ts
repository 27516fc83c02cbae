import { densityOf } from '@pegasus/contracts/filament/filament-weight'
import { DEFAULT_DIAMETER_MM, DEFAULT_SPOOL_GRAMS, type Spool } from '@pegasus/contracts/filament/spools'
import {
  type CreateSpoolBody,
  createSpoolsBody,
  type UpdateSpoolBody,
  updateSpoolBody,
} from '@pegasus/contracts/filament/spool-changes'
import { emptyForm, type FormText, pickFields, type ReadResult, readResult } from '@/lib/forms/form-merge.ts'
import { dayOf, noonOf } from '@/lib/format/local-day.ts'
import { numberText, typedNumber } from '@/lib/forms/typed-number.ts'
import { t } from '@/lib/i18n/messages.ts'

/** The fields of a spool and their labels. */
export const SPOOL_LABELS = {
  material: t('Material'),
  brand: t('Brand'),
  name: t('Name'),
  color: t('Color'),
  color_hex: t('Color code'),
  diameter_mm: t('Diameter'),
  density_g_cm3: t('Density'),
  weight_grams: t('Net weight, full'),
  spool_weight_grams: t('Empty spool'),
  cost: t('Cost'),
  location: t('Location'),
  lot_number: t('Lot number'),
  nozzle_temp_c: t('Nozzle'),
  bed_temp_c: t('Bed'),
  opened_at: t('Opened on'),
  dried_at: t('Dried on'),
  drying_interval_days: t('Dry every'),
  low_stock_grams: t('Low stock at'),
  notes: t('Notes'),
} as const
export type SpoolForm = FormText<keyof typeof SPOOL_LABELS>

/** Fields that only a new spool has: its remaining weight, and the number of identical spools. */
export const OPENING_LABELS = { remaining_grams: t('Remaining'), count: t('Spools') } as const
export type NewSpoolField = keyof SpoolForm | keyof typeof OPENING_LABELS
export type NewSpoolForm = FormText<NewSpoolField>

export const EMPTY_SPOOL: NewSpoolForm = {
  ...emptyForm(SPOOL_LABELS),
  diameter_mm: numberText(DEFAULT_DIAMETER_MM),
  weight_grams: numberText(DEFAULT_SPOOL_GRAMS),
  remaining_grams: '',
  count: '1',
}

export const formOf = (spool: Spool): SpoolForm => ({
  material: spool.material,
  brand: spool.brand ?? '',
  name: spool.name,
  color: spool.color,
  color_hex: spool.color_hex ?? '',
  diameter_mm: numberText(spool.diameter_mm),
  density_g_cm3: numberText(spool.density_g_cm3),
  weight_grams: numberText(spool.weight_grams),
  spool_weight_grams: numberText(spool.spool_weight_grams),
  cost: numberText(spool.cost),
  location: spool.location ?? '',
  lot_number: spool.lot_number ?? '',
  nozzle_temp_c: numberText(spool.nozzle_temp_c),
  bed_temp_c: numberText(spool.bed_temp_c),
  opened_at: dayOf(spool.opened_at),
  dried_at: dayOf(spool.dried_at),
  drying_interval_days: numberText(spool.drying_interval_days),
  low_stock_grams: numberText(spool.low_stock_grams),
  notes: spool.notes ?? '',
})

/** Returns the defaults of a material. Unknown temperatures are empty. */
const defaultsOf = (material: string) => {
  const temperatures = findDefaultTemperatures(material)
  return {
    density_g_cm3: material.trim() === '' ? '' : numberText(densityOf(material)),
    nozzle_temp_c: numberText(temperatures?.nozzle ?? null),
    bed_temp_c: numberText(temperatures?.bed ?? null),
  }
}

/**
 * Returns the changes of the form for another material. They replace the defaults of the previous material
 * and keep typed values.
 */
export function withMaterial(form: SpoolForm, material: string): Partial<SpoolForm> {
  const previous = defaultsOf(form.material)
  const next = defaultsOf(material)
  const typed = (Object.keys(next) as (keyof typeof next)[]).filter(
    (field) => form[field] !== '' && form[field] !== previous[field],
  )
  return { material, ...next, ...Object.fromEntries(typed.map((field) => [field, form[field]])) }
}

/** Leaves out an empty field that cannot be null, so that the server fills in its default. */
const orDefault = (text: string): number | undefined => typedNumber(text) ?? undefined

const wireOf = (form: SpoolForm) => ({
  material: form.material,
  brand: form.brand,
  name: form.name.trim() === '' ? undefined : form.name,
  color: form.color,
  color_hex: form.color_hex.trim() === '' ? null : form.color_hex,
  diameter_mm: orDefault(form.diameter_mm),
  density_g_cm3: orDefault(form.density_g_cm3),
  weight_grams: orDefault(form.weight_grams),
  spool_weight_grams: typedNumber(form.spool_weight_grams),
  cost: typedNumber(form.cost),
  location: form.location,
  lot_number: form.lot_number,
  nozzle_temp_c: typedNumber(form.nozzle_temp_c),
  bed_temp_c: typedNumber(form.bed_temp_c),
  opened_at: noonOf(form.opened_at),
  dried_at: noonOf(form.dried_at),
  drying_interval_days: typedNumber(form.drying_interval_days),
  low_stock_grams: typedNumber(form.low_stock_grams),
  notes: form.notes,
})

export const readNewSpools = (
  form: NewSpoolForm,
): ReadResult<CreateSpoolBody & { count: number }, NewSpoolField> =>
  readResult(
    createSpoolsBody.safeParse({
      ...wireOf(form),
      remaining_grams: orDefault(form.remaining_grams),
      count: typedNumber(form.count),
    }),
    form,
  )

/** Reads only the changed fields, so that an edit never overwrites other people's changes. */
export function readSpoolEdit(
  form: SpoolForm,
  changed: readonly (keyof SpoolForm)[],
): ReadResult<UpdateSpoolBody, keyof SpoolForm> {
  const wire = wireOf(form)
  const read = readResult(updateSpoolBody.safeParse(pickFields(wire, changed)), SPOOL_LABELS)
  const missing = changed.filter((field) => wire[field] === undefined)
  if (missing.length === 0) return read
  const required = missing.map((field) => [field, t('{field} is required', { field: SPOOL_LABELS[field] })])
  return { body: null, errors: { ...Object.fromEntries(required), ...read.errors } }
}

/**
 * Common printing temperatures in °C by material. They only fill in the form, because the values on the box
 * are more reliable.
 */
const TEMPERATURES: Readonly<Record<string, { nozzle: number; bed: number }>> = {
  PLA: { nozzle: 210, bed: 60 },
  'PLA+': { nozzle: 215, bed: 60 },
  PETG: { nozzle: 240, bed: 80 },
  ABS: { nozzle: 245, bed: 100 },
  'ABS+': { nozzle: 245, bed: 100 },
  ASA: { nozzle: 250, bed: 100 },
  TPU: { nozzle: 225, bed: 50 },
  PC: { nozzle: 275, bed: 110 },
  'PC-ABS': { nozzle: 265, bed: 105 },
  PA6: { nozzle: 260, bed: 85 },
  PA12: { nozzle: 255, bed: 85 },
  HIPS: { nozzle: 235, bed: 100 },
  PVA: { nozzle: 200, bed: 55 },
  PP: { nozzle: 230, bed: 85 },
  POM: { nozzle: 215, bed: 110 },
  PMMA: { nozzle: 245, bed: 95 },
  PVDF: { nozzle: 250, bed: 100 },
  PEI: { nozzle: 360, bed: 150 },
  PEEK: { nozzle: 400, bed: 130 },
  PPSU: { nozzle: 380, bed: 150 },
}

/**
 * Returns the temperatures for a material, ignoring case and additions such as in `TPU 95A`; null for an unknown
 * material.
 */
function findDefaultTemperatures(material: string): { nozzle: number; bed: number } | null {
  const name = material.trim().toUpperCase()
  return TEMPERATURES[name] ?? TEMPERATURES[name.split(/[\s-]/)[0] ?? ''] ?? null
}

/** The configuration with which EditDialog edits a spool. */
export const SPOOL_EDIT = { labels: SPOOL_LABELS, formOf, read: readSpoolEdit }
