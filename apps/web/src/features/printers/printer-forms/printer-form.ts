import {
  type CreatePrinterBody,
  createPrinterBody,
  type Printer,
  type UpdatePrinterBody,
  updatePrinterBody,
} from '@pegasus/contracts/print-queue/printers'
import { emptyForm, type FormText, type ReadResult, readResult } from '@/lib/forms/form-merge.ts'
import { numberText, typedNumber } from '@/lib/forms/typed-number.ts'
import { t } from '@/lib/i18n/messages.ts'

/** The fields of a printer and their labels. */
export const PRINTER_LABELS = {
  name: t('Name'),
  model: t('Model'),
  kind: t('Started by'),
  address: t('Address'),
  api_key: t('Key'),
  bed_x: t('Bed width'),
  bed_y: t('Bed depth'),
  bed_z: t('Height'),
  nozzle_mm: t('Nozzle'),
  slots: t('Slots'),
  hourly_rate: t('Hourly rate'),
  average_watts: t('Power'),
  print_hours: t('Hours so far'),
  location_id: t('Location'),
  takes_jobs: t('Proposed jobs'),
  notes: t('Notes'),
} as const
export type PrinterForm = FormText<keyof typeof PRINTER_LABELS>

export const EMPTY_PRINTER: PrinterForm = {
  ...emptyForm(PRINTER_LABELS),
  kind: 'manual',
  slots: '1',
  takes_jobs: 'no',
}

export const formOf = (printer: Printer): PrinterForm => ({
  name: printer.name,
  model: printer.model ?? '',
  kind: printer.kind,
  address: printer.address ?? '',
  // A stored key is never sent to the browser. An empty field keeps it.
  api_key: '',
  bed_x: numberText(printer.bed_mm?.[0] ?? null),
  bed_y: numberText(printer.bed_mm?.[1] ?? null),
  bed_z: numberText(printer.bed_mm?.[2] ?? null),
  nozzle_mm: numberText(printer.nozzle_mm),
  slots: String(printer.slots.length),
  hourly_rate: numberText(printer.hourly_rate),
  average_watts: numberText(printer.average_watts),
  print_hours: numberText(printer.print_hours),
  location_id: printer.location_id ?? '',
  takes_jobs: printer.takes_jobs ? 'yes' : 'no',
  notes: printer.notes ?? '',
})

const BED = ['bed_x', 'bed_y', 'bed_z'] as const

/** Returns the three dimensions of the bed in mm; null if all of them are empty. */
function bedOf(form: PrinterForm): (number | null)[] | null {
  const sides = BED.map((field) => typedNumber(form[field]))
  return sides.every((side) => side === null) ? null : sides
}

/** Converts a number of slots to a list of slots. Existing slots keep their spools. */
const slotsOf = (text: string) => {
  const count = typedNumber(text)
  return count !== null && count >= 1 && count <= 99
    ? Array.from({ length: count }, (_, index) => ({ slot: index + 1 }))
    : [{ slot: count ?? Number.NaN }]
}

/** Returns the form's field for a path in the contract. For example, `bed_mm.1` is the depth of the bed. */
function fieldOf(path: string): keyof PrinterForm | null {
  const [name = '', index = '0'] = path.split('.')
  if (name === 'bed_mm') return BED[Number(index)] ?? 'bed_x'
  return name in PRINTER_LABELS ? (name as keyof PrinterForm) : null
}

const wireOf = (form: PrinterForm) => ({
  name: form.name,
  model: form.model,
  kind: form.kind,
  ...(form.address.trim() !== '' && { address: form.address }),
  ...(form.api_key.trim() !== '' && { api_key: form.api_key }),
  bed_mm: bedOf(form),
  nozzle_mm: typedNumber(form.nozzle_mm),
  slots: slotsOf(form.slots),
  hourly_rate: typedNumber(form.hourly_rate),
  average_watts: typedNumber(form.average_watts),
  ...(form.print_hours.trim() !== '' && { print_hours: typedNumber(form.print_hours) }),
  location_id: form.location_id === '' ? null : form.location_id,
  takes_jobs: form.takes_jobs === 'yes',
  notes: form.notes,
})

/**
 * Returns an error at each missing side of the bed; null if all or none are filled in. The contract's schema
 * cannot say which side is missing.
 */
function missingSides(form: PrinterForm): Partial<Record<keyof PrinterForm, string>> | null {
  if (bedOf(form) === null) return null
  const missing = BED.filter((field) => typedNumber(form[field]) === null)
  return missing.length === 0
    ? null
    : Object.fromEntries(
        missing.map((field) => [field, t('{field} is required', { field: PRINTER_LABELS[field] })]),
      )
}

export function readNewPrinter(form: PrinterForm): ReadResult<CreatePrinterBody, keyof PrinterForm> {
  const missing = missingSides(form)
  if (missing) return { body: null, errors: missing }
  return readResult(createPrinterBody.safeParse(wireOf(form)), PRINTER_LABELS)
}

/** Reads only the changed fields, so that an edit never overwrites other people's changes. */
export function readPrinterEdit(
  form: PrinterForm,
  changed: readonly (keyof PrinterForm)[],
): ReadResult<UpdatePrinterBody, keyof PrinterForm> {
  const missing = missingSides(form)
  if (missing) return { body: null, errors: missing }
  const names = Object.entries(wireOf(form)).filter(([name]) =>
    changed.some(
      (field) => field === name || (name === 'bed_mm' && fieldOf(name) !== null && field.startsWith('bed_')),
    ),
  )
  return readResult(updatePrinterBody.safeParse(Object.fromEntries(names)), PRINTER_LABELS)
}

/** The configuration with which EditDialog edits a printer. */
export const PRINTER_EDIT = { labels: PRINTER_LABELS, formOf, read: readPrinterEdit }
