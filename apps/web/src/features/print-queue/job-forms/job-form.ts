import { MATCH_STRICTNESS, type MatchStrictness } from '@pegasus/contracts/print-queue/job-waits'
import { DEFAULT_PRIORITY, type PrintJob } from '@pegasus/contracts/print-queue/jobs'
import {
  type CreatePrintJobBody,
  createPrintJobBody,
  type UpdatePrintJobBody,
  updatePrintJobBody,
} from '@pegasus/contracts/print-queue/job-changes'
import { emptyForm, type FormText, pickFields, type ReadResult, readResult } from '@/lib/forms/form-merge.ts'
import { dayOf, endOf } from '@/lib/format/local-day.ts'
import { numberText, typedNumber } from '@/lib/forms/typed-number.ts'
import type { Printable } from './printable-models.ts'
import { t } from '@/lib/i18n/messages.ts'

/** The fields of a job and their labels. */
export const JOB_LABELS = {
  quantity: t('Quantity'),
  priority: t('Priority'),
  material: t('Material'),
  color: t('Color'),
  filament_id: t('Spool'),
  slice_id: t('Sliced file'),
  pieces_per_plate: t('Pieces per plate'),
  expected_rejects: t('Expected rejects'),
  match_strictness: t('Filament must match'),
  due_at: t('Due'),
  estimated_grams: t('Filament for all'),
  estimated_minutes: t('Time for all'),
  notes: t('Notes'),
} as const
export type JobForm = FormText<keyof typeof JOB_LABELS>

/** Labels for how closely the loaded filament must match the job's filament. */
const STRICTNESS_LABELS: Readonly<Record<MatchStrictness, string>> = {
  exact: t('Exactly'),
  any_color: t('Same filament, any color'),
  material: t('Same material'),
}
export const STRICTNESS_OPTIONS = MATCH_STRICTNESS.map((value) => ({
  value,
  label: STRICTNESS_LABELS[value],
}))

/** Returns the value of a field as readable text. */
export function describeJobValue(field: keyof JobForm, text: string): string {
  // These fields contain ids, which are not readable.
  if (field === 'filament_id' && text !== '') return t('another spool')
  if (field === 'slice_id' && text !== '') return t('another sliced file')
  if (field === 'match_strictness')
    return STRICTNESS_OPTIONS.find(({ value }) => value === text)?.label ?? text
  return text
}

export const EMPTY_JOB: JobForm = {
  ...emptyForm(JOB_LABELS),
  quantity: '1',
  priority: String(DEFAULT_PRIORITY),
  expected_rejects: '0',
  match_strictness: 'exact',
}

export const formOf = (job: PrintJob): JobForm => ({
  quantity: String(job.quantity),
  priority: String(job.priority),
  material: job.material ?? '',
  color: job.color ?? '',
  filament_id: job.filament_id ?? '',
  slice_id: job.slice_id ?? '',
  pieces_per_plate: numberText(job.pieces_per_plate),
  expected_rejects: String(job.expected_rejects),
  match_strictness: job.match_strictness,
  due_at: dayOf(job.due_at),
  estimated_grams: numberText(job.estimated_grams),
  estimated_minutes: numberText(job.estimated_minutes),
  notes: job.notes ?? '',
})

/**
 * Returns the fields of a job that also suit another job for the same part. Estimates are left out, because the server
 * knows them for any quantity. The spool is left out, because it may be empty by now.
 */
export function formAgain(job: PrintJob): Partial<JobForm> {
  const { priority, material, color, pieces_per_plate, expected_rejects, match_strictness, notes } =
    formOf(job)
  return { priority, material, color, pieces_per_plate, expected_rejects, match_strictness, notes }
}

/**
 * Returns the changes of the form for another part. They replace the material and color of the previous part
 * and keep typed values.
 */
export function withPart(
  form: JobForm,
  before: Printable | null,
  after: Printable | null,
): Pick<JobForm, 'material' | 'color'> {
  const valueOf = (field: 'material' | 'color') =>
    form[field] === '' || form[field] === before?.[field] ? (after?.[field] ?? '') : form[field]
  return { material: valueOf('material'), color: valueOf('color') }
}

const wireOf = (form: JobForm) => ({
  quantity: typedNumber(form.quantity) ?? Number.NaN,
  priority: typedNumber(form.priority) ?? Number.NaN,
  material: form.material,
  color: form.color,
  filament_id: form.filament_id || null,
  slice_id: form.slice_id || null,
  pieces_per_plate: typedNumber(form.pieces_per_plate),
  expected_rejects: typedNumber(form.expected_rejects) ?? 0,
  match_strictness: form.match_strictness,
  due_at: endOf(form.due_at),
  estimated_grams: typedNumber(form.estimated_grams),
  estimated_minutes: typedNumber(form.estimated_minutes),
  notes: form.notes,
})

export const NO_PART_MESSAGE = t('Please choose what to print.')

/** Reads a new job for a part, and for an order if `orderId` is not empty. The server fills in empty estimates. */
export function readNewJob(
  form: JobForm,
  part: Printable | null,
  orderId: string,
): ReadResult<CreatePrintJobBody, keyof JobForm | 'part'> {
  const { estimated_grams: grams, estimated_minutes: minutes, ...wire } = wireOf(form)
  const parsed = createPrintJobBody.safeParse({
    ...wire,
    ...(part?.kind === 'item' && { inventory_item_id: part.id }),
    ...(part?.kind === 'model' && { stl_file_id: part.id }),
    ...(grams !== null && { estimated_grams: grams }),
    ...(minutes !== null && { estimated_minutes: minutes }),
    ...(orderId !== '' && { order_id: orderId }),
  })
  const read = readResult(parsed, JOB_LABELS)
  return part ? read : { body: null, errors: { ...read.errors, part: NO_PART_MESSAGE } }
}

/** Reads only the changed fields, so that an edit never overwrites other people's changes. */
export const readJobEdit = (
  form: JobForm,
  changed: readonly (keyof JobForm)[],
): ReadResult<UpdatePrintJobBody, keyof JobForm> =>
  readResult(updatePrintJobBody.safeParse(pickFields(wireOf(form), changed)), JOB_LABELS)

/** The configuration with which EditDialog edits a job. */
export const JOB_EDIT = { labels: JOB_LABELS, formOf, read: readJobEdit, describeValue: describeJobValue }
