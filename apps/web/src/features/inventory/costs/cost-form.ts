import { type CostSettings, costRates, type UpdateCostSettingsBody } from '@pegasus/contracts/inventory/costs'
import type { FieldErrors, FormText, ReadResult } from '@/lib/forms/form-merge.ts'
import { numberText, typedNumber } from '@/lib/forms/typed-number.ts'
import { t } from '@/lib/i18n/messages.ts'

export const RATE_LABELS = {
  material_price_per_kg: t('Filament price'),
  waste_percent: t('Waste'),
  printer_watts: t('Printer power'),
  electricity_price_per_kwh: t('Electricity'),
  machine_price_per_hour: t('Machine time'),
  labor_price_per_hour: t('Labor'),
  prepare_minutes_per_print: t('Preparing a print'),
  finish_minutes_per_piece: t('Finishing a piece'),
  extras_per_piece: t('Extras per piece'),
  failure_percent: t('Failure rate'),
  overhead_percent: t('Overhead'),
  margin_percent: t('Margin'),
} as const
export type RateForm = FormText<keyof typeof RATE_LABELS>

const RATE_FIELDS = Object.keys(RATE_LABELS) as (keyof RateForm)[]

export const formOf = (settings: CostSettings): RateForm =>
  // `Object.fromEntries` has string keys as its type, but all keys are rates here.
  Object.fromEntries(RATE_FIELDS.map((field) => [field, numberText(settings[field])])) as RateForm

/**
 * Reads the changed rates. A field that is not a number is an error, because reading it as 0 would falsify every price.
 */
export function readRates(
  form: RateForm,
  changed: readonly (keyof RateForm)[],
): ReadResult<UpdateCostSettingsBody, keyof RateForm> {
  const body: UpdateCostSettingsBody = {}
  const errors: FieldErrors<keyof RateForm> = {}
  for (const field of changed) {
    const parsed = costRates.shape[field].safeParse(typedNumber(form[field]))
    if (parsed.success) body[field] = parsed.data
    else errors[field] = rangeMessage(field)
  }
  return Object.keys(errors).length > 0 ? { body: null, errors } : { body, errors: null }
}

const MAX_RATE: Partial<Record<keyof RateForm, string>> = {
  waste_percent: '100',
  failure_percent: '99.99',
  margin_percent: '99.99',
  overhead_percent: '1000',
  printer_watts: '100000',
  prepare_minutes_per_print: '10000',
  finish_minutes_per_piece: '10000',
}

function rangeMessage(field: keyof RateForm): string {
  if (field === 'printer_watts') return t('Enter a whole number from 0 to 100000.')
  const max = MAX_RATE[field]
  return max ? t('Enter a number from 0 to {max}.', { max }) : t('Enter a number from 0 up.')
}
