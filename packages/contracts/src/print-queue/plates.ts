import * as z from 'zod/mini'
import { declareEndpoints } from '../endpoint.ts'
import { timestamp } from '../fields.ts'

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
  printer_id: z.nullable(z.uuid()),
  printer: z.nullable(z.string()),
  agent: z.nullable(z.string()),
  filament_id: z.nullable(z.uuid()),
  filament_label: z.nullable(z.string()),
  slice_id: z.nullable(z.uuid()),
  pieces: z.number(),
  good_quantity: z.number(),
  rejected_quantity: z.number(),
  /** Why it failed or was cancelled, or why pieces were rejected. */
  reason: z.nullable(z.string()),
  /** 0 to 1. */
  progress: z.number(),
  used_grams: z.nullable(z.number()),
  print_minutes: z.nullable(z.number()),
  started_at: timestamp,
  finished_at: z.nullable(timestamp),
})
export type Plate = z.output<typeof plate>

export const listPlates = get('/api/print-queue/:id/plates', 'signed-in', {
  summary: 'Plates of a print job that were started, by number',
  returns: z.array(plate),
})
