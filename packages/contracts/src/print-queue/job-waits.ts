import * as z from 'zod/mini'
import { nullable } from '../fields.ts'

/**
 * Reasons that concern the printer itself, the sliced file or the loaded filament. All other reasons go away by
 * themselves, or after a step at the printer.
 */
const MISFITS = ['bed_too_small', 'nozzle', 'no_slice', 'material', 'color', 'grams_short'] as const

/** Reasons why a job cannot start at all, or cannot start on one printer. */
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

/**
 * Returns whether a job would be printed wrongly if it started in spite of this reason. Only an admin may assign such a
 * job.
 */
export const isMisfit = (code: WaitCode): boolean => MISFITS.some((misfit) => misfit === code)

/** A step that resolves a reason. */
const waitAction = z.object({
  /**
   * `load_spool`, `clear` and `resume` are steps at the printer; `change_color` edits the job; `requeue` ends its hold;
   * `slice` opens the model; `edit_printer` opens the form of the printer; `add_spool` and `add_printer` open the
   * lists.
   */
  kind: z.enum([
    'load_spool',
    'add_spool',
    'clear',
    'resume',
    'change_color',
    'requeue',
    'slice',
    'edit_printer',
    'add_printer',
  ]),
  /** The text of a button, such as `Load S-0042`. */
  label: z.string(),
  printer_id: nullable.id,
  filament_id: nullable.id,
  /** The slot for the spool. Null if any slot is possible. */
  slot: nullable.number,
  /**
   * The slot for the spool, and the spool that is in it now. Clients send both back, so that the new spool does not
   * replace a spool that nobody has seen.
   */
  replaces: z.nullable(z.object({ slot: z.number(), filament_id: nullable.id })),
  color: nullable.text,
  stl_file_id: nullable.id,
})
export type WaitAction = z.output<typeof waitAction>

const reason = {
  code: z.enum(WAIT_CODES),
  /** A sentence with figures, such as `Short by 40 g of PLA Black.` */
  message: z.string(),
  action: z.optional(waitAction),
}

export const matchReason = z.object(reason)
export type MatchReason = z.output<typeof matchReason>

/** A reason why a job waits, and the printer that the reason concerns. */
export const jobWait = z.object({ ...reason, printer_id: z.optional(z.uuid()) })
export type JobWait = z.output<typeof jobWait>

/**
 * How closely the loaded filament must match the job's filament: the same product and color, the same product
 * in any color, or only the same material.
 */
export const MATCH_STRICTNESS = ['exact', 'any_color', 'material'] as const
export type MatchStrictness = (typeof MATCH_STRICTNESS)[number]
