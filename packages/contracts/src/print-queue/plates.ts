import * as z from 'zod/mini'
import { declareEndpoints } from '../endpoint.ts'
import { nullable, timestamp } from '../fields.ts'
import { matchedTool } from './matching.ts'

const { get } = declareEndpoints('print-queue', { notFound: 'PRINT_JOB_NOT_FOUND' })

/**
 * `sending` means that the plate is being sent to the printer. `printed` means that the print is done but
 * still on the bed, so its pieces are not counted yet.
 */
const PLATE_STATES = ['sending', 'printing', 'paused', 'printed', 'done', 'failed', 'cancelled'] as const
export type PlateState = (typeof PLATE_STATES)[number]

export const isRunningPlate = (state: PlateState): boolean =>
  state === 'sending' || state === 'printing' || state === 'paused' || state === 'printed'

/** A tool that a plate uses, and the spool from which it prints. */
const plateTool = z.omit(matchedTool, { lacks: true })
export type PlateTool = z.output<typeof plateTool>

/** One print of a job on one printer. */
const plate = z.object({
  id: z.uuid(),
  /**
   * Number of the plate within its job, counted from 1. A failed plate keeps its number, and its repetition
   * gets the next number.
   */
  number: z.number(),
  state: z.enum(PLATE_STATES),
  printer_id: nullable.id,
  printer: nullable.text,
  agent: nullable.text,
  filament_id: nullable.id,
  filament_label: nullable.text,
  slice_id: nullable.id,
  pieces: z.number(),
  good_quantity: z.number(),
  rejected_quantity: z.number(),
  /**
   * Why the plate failed or was cancelled, or why pieces were rejected. With the state `printed`, why the pieces have to be
   * checked.
   */
  reason: nullable.text,
  /** Progress from 0 to 1. */
  progress: z.number(),
  used_grams: nullable.number,
  print_minutes: nullable.number,
  started_at: timestamp,
  finished_at: nullable.timestamp,
  /** Whether the plate's completion can be undone: the plate is done, and is the last plate of its job. */
  can_undo: z.boolean(),
  /** Whether a person can complete the plate now. A network printer first has to end its print. */
  can_complete: z.boolean(),
  /** Whether a person or an agent is printing the plate. Its filament and time can then be given when it is stopped. */
  is_by_hand: z.boolean(),
  /**
   * Whether the plate is in progress, but its printer is offline, reports an error, or responds again without having
   * shown the print for 90 seconds. A person can then report the plate as failed and count its good pieces.
   */
  is_printer_lost: z.boolean(),
  /**
   * Grams that the running plate is expected to use, but that no loaded or chosen spool can supply. They will not be
   * booked. 0 if the grams are unknown, or if the printer has reported its use.
   */
  unsupplied_grams: z.number(),
  /**
   * The tools of the sliced file, each with the slot and the spool that were loaded when the print started. Empty if
   * the plate has ended, or if its sliced file or its printer is unknown.
   */
  tools: z.array(plateTool),
})
export type Plate = z.output<typeof plate>

export const listPlates = get('/api/print-queue/:id/plates', 'signed-in', {
  summary: 'Plates of a print job that were started, by number',
  returns: z.array(plate),
})
