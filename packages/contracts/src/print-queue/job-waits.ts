import * as z from 'zod/mini'
import { nullable } from '../fields.ts'

/**
 * Reasons in the printer's build or in its loaded filament. The others pass by themselves or with a step at the
 * machine.
 */
const MISFITS = ['bed_too_small', 'nozzle', 'no_slice', 'material', 'color', 'grams_short'] as const

/** Why a job cannot start, or cannot start on one printer. */
export const WAIT_CODES = [
  'no_printer',
  ...MISFITS,
  'needs_clearing',
  'maintenance',
  'offline',
  'busy',
  'previous_job',
  'on_hold',
] as const
export type WaitCode = (typeof WAIT_CODES)[number]

/** Whether a job with this reason would be printed wrongly, so that only an admin may assign it all the same. */
export const isMisfit = (code: WaitCode): boolean => MISFITS.some((misfit) => misfit === code)

/** A step that removes a reason. */
const waitAction = z.object({
  /** `load_spool`, `clear` and `resume` are steps at the printer; `change_color` edits the job; `slice` opens the model. */
  kind: z.enum(['load_spool', 'clear', 'resume', 'change_color', 'slice', 'add_printer']),
  /** For a button: `Load S-0042`. */
  label: z.string(),
  printer_id: nullable.id,
  filament_id: nullable.id,
  color: nullable.text,
  stl_file_id: nullable.id,
})
export type WaitAction = z.output<typeof waitAction>

const reason = {
  code: z.enum(WAIT_CODES),
  /** A sentence with figures: `Short by 40 g of PLA Black.` */
  message: z.string(),
  action: z.optional(waitAction),
}

export const matchReason = z.object(reason)
export type MatchReason = z.output<typeof matchReason>

/** A reason why a job waits, with the printer that it is about. */
export const jobWait = z.object({ ...reason, printer_id: z.optional(z.uuid()) })
export type JobWait = z.output<typeof jobWait>

/**
 * How closely loaded filament must be that of the job: the same product and colour, the product in any colour, or only the
 * material.
 */
export const MATCH_STRICTNESS = ['exact', 'any_color', 'material'] as const
export type MatchStrictness = (typeof MATCH_STRICTNESS)[number]
