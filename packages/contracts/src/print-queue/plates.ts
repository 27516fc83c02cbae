import * as z from 'zod/mini'
import { declareEndpoints } from '../endpoint.ts'
import { nullable, timestamp } from '../fields.ts'

const { get } = declareEndpoints('print-queue', { notFound: 'PRINT_JOB_NOT_FOUND' })

/** `sending`: on its way to the printer. `printed`: done, but still on the bed, so not counted yet. */
const PLATE_STATES = ['sending', 'printing', 'paused', 'printed', 'done', 'failed', 'cancelled'] as const
export type PlateState = (typeof PLATE_STATES)[number]

export const isRunningPlate = (state: PlateState): boolean =>
  state === 'sending' || state === 'printing' || state === 'paused' || state === 'printed'

/** One print of a job on one printer. */
const plate = z.object({
  id: z.uuid(),
  /** Counted for each job, from 1. A plate that failed keeps its number; its repetition gets the next one. */
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
  /** Why it failed or was cancelled, or why pieces were rejected. */
  reason: nullable.text,
  /** 0 to 1. */
  progress: z.number(),
  used_grams: nullable.number,
  print_minutes: nullable.number,
  started_at: timestamp,
  finished_at: nullable.timestamp,
  /** Whether it is the last one of its job and done, so that its completion may be taken back. */
  can_undo: z.boolean(),
})
export type Plate = z.output<typeof plate>

export const listPlates = get('/api/print-queue/:id/plates', 'signed-in', {
  summary: 'Plates of a print job that were started, by number',
  returns: z.array(plate),
})
