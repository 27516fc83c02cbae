import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import { isRunningPlate, type Plate } from '@pegasus/contracts/print-queue/plates'
import type { PrinterSlot } from '@pegasus/contracts/print-queue/printers'
import { completeQueuedJobBody } from '@pegasus/contracts/print-queue/steps'
import { readCounts } from '@/components/fields/count-fields.tsx'
import { type FormText, readResult } from '@/lib/forms/form-merge.ts'
import { numberText, typedNumber } from '@/lib/forms/typed-number.ts'
import { t } from '@/lib/i18n/messages.ts'
import { joinFacts } from '@/lib/i18n/join-words.ts'

/** A plate whose pieces a person counts. */
export interface PlateToCount {
  /** Id of the plate; null for a job that was printed although nobody has pressed Start. */
  id: string | null
  number: number | null
  /** Label for selecting the plate: `Plate 2 · MK4 · 4 pieces`. */
  label: string
  pieces: number
  /** Why the pieces have to be checked. Null after an ordinary print. */
  note: string | null
  /** Used filament as reported by the printer, or else as estimated. */
  grams: number | null
  minutes: number | null
  /** Label of the spool that the filament is booked on; null if no spool is selected. */
  spool: string | null
  /** The slots of the plate's printer, if it has several. Filament is then entered for each slot. */
  slots: readonly PrinterSlot[]
  /** Whether a network printer has printed the plate. It starts its next print only when its bed is cleared. */
  hasBed: boolean
}

const missingPieces = ({ quantity, good_quantity: good }: PrintJob): number => Math.max(1, quantity - good)

/** Returns the grams of a plate according to its sliced file; null if they are unknown. */
const gramsOfFile = ({ tools }: Plate): number | null =>
  tools.length === 0 || tools.some(({ grams }) => grams === null)
    ? null
    : Math.round(tools.reduce((sum, { grams }) => sum + (grams ?? 0), 0) * 100) / 100

/** Returns the estimated grams for some pieces of a job. */
const estimateFor = ({ estimated_grams: grams, quantity }: PrintJob, pieces: number): number | null =>
  grams === null ? null : Math.round((grams * pieces * 10) / quantity) / 10

/**
 * Returns the plates of a job that can be completed. These are the running plates. If none is running, it is
 * one plate with all missing pieces.
 */
export function platesToCount(
  job: PrintJob,
  plates: readonly Plate[],
  slotsOf: (printerId: string) => readonly PrinterSlot[],
): readonly [PlateToCount, ...PlateToCount[]] {
  const running = plates.filter(({ state }) => isRunningPlate(state))
  const [first, ...others] = running.map((plate): PlateToCount => {
    const { pieces } = plate
    const slots = plate.printer_id === null ? [] : slotsOf(plate.printer_id)
    const of = joinFacts([
      plate.printer ?? plate.agent,
      t('{pieces, plural, one {# piece} other {# pieces}}', { pieces }),
    ])
    return {
      id: plate.id,
      number: plate.number,
      label: t('Plate {number} · {of}', { number: plate.number, of }),
      pieces,
      note: plate.state === 'printed' ? plate.reason : null,
      grams: plate.used_grams ?? gramsOfFile(plate) ?? estimateFor(job, pieces),
      minutes: plate.print_minutes,
      spool: plate.filament_id && (plate.filament_label ?? t('the spool')),
      slots: slots.length > 1 ? slots : [],
      hasBed: !plate.is_by_hand,
    }
  })
  if (first) return [first, ...others]
  const pieces = missingPieces(job)
  const spool = job.filament_id && (job.filament_label ?? t('the spool'))
  const grams = estimateFor(job, pieces)
  const unknown = { id: null, number: null, label: '', note: null, minutes: null, slots: [], hasBed: false }
  return [{ ...unknown, pieces, grams, spool }]
}

type ToolField = `tool_${number}`
export const toolField = ({ slot }: { slot: number }): ToolField => `tool_${slot}`

type CompleteField =
  | 'plate_id'
  | 'good_quantity'
  | 'rejected_quantity'
  | 'reason'
  | 'used_grams'
  | 'print_minutes'
  | 'cleared'
export type CompleteForm = FormText<CompleteField | ToolField>

/**
 * Returns the initial values for completing a plate. If the plate carries a note, the counts are empty, because nobody
 * knows yet that the pieces are good.
 */
export const formOfPlate = (plate: PlateToCount) => ({
  plate_id: plate.id ?? '',
  good_quantity: plate.note === null ? String(plate.pieces) : '',
  rejected_quantity: plate.note === null ? '0' : '',
  reason: '',
  used_grams: plate.spool && plate.slots.length === 0 ? numberText(plate.grams) : '',
  print_minutes: numberText(plate.minutes),
  cleared: '',
  ...Object.fromEntries(plate.slots.map((slot): [ToolField, string] => [toolField(slot), ''])),
})

/**
 * Returns the grams by tool, starting with the first tool; undefined if no grams were entered, in which case the server
 * uses the printer's own figure.
 */
function gramsByTool(form: CompleteForm, { slots }: PlateToCount): number[] | undefined {
  const typed = new Map(slots.map((slot) => [slot.slot, typedNumber(form[toolField(slot)] ?? '')]))
  if ([...typed.values()].every((grams) => grams === null)) return undefined
  return Array.from({ length: Math.max(...typed.keys()) }, (_, tool) => typed.get(tool + 1) ?? 0)
}

export function readCompletion(form: CompleteForm, plate: PlateToCount) {
  const single = plate.spool === null ? null : typedNumber(form.used_grams)
  const grams = plate.slots.length > 0 ? gramsByTool(form, plate) : (single ?? undefined)
  const minutes = typedNumber(form.print_minutes)
  const parsed = completeQueuedJobBody.safeParse({
    ...readCounts(form),
    ...(grams !== undefined && { used_grams: grams }),
    ...(minutes !== null && { print_minutes: minutes }),
    ...(plate.id !== null && { plate_id: plate.id }),
    ...(plate.hasBed && { cleared: form.cleared !== '' }),
  })
  return readResult(parsed, form)
}
