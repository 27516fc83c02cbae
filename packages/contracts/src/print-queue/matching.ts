import * as z from 'zod/mini'
import { declareEndpoints } from '../endpoint.ts'
import { nullable } from '../fields.ts'
import { matchReason } from './job-waits.ts'
import { printJob } from './jobs.ts'
import { printerHead } from './printers.ts'

const { get, post } = declareEndpoints('print-queue', { notFound: 'PRINT_JOB_NOT_FOUND' })

/** A tool that the sliced file uses, and the spool from which it would print. */
export const matchedTool = z.object({
  /** Number of the tool, counted from 0 as in G-code. */
  tool: z.number(),
  material: nullable.text,
  /** The color in the sliced file, as `#rrggbb`. */
  color_hex: nullable.text,
  grams: nullable.number,
  /** Number of the printer's slot, counted from 1. Null if no slot fits. */
  slot: nullable.number,
  filament_id: nullable.id,
  filament_label: nullable.text,
  /** Why the spool in the slot does not fit. Null if it fits. */
  lacks: z.nullable(z.enum(['material', 'color', 'grams'])),
})
export type MatchedTool = z.output<typeof matchedTool>

/** A printer, and the reasons why it cannot print the job now. */
const match = z.object({
  printer: z.object(printerHead),
  /** Whether the job waits for this printer. */
  is_assigned: z.boolean(),
  /** Empty if the printer can start the job. */
  reasons: z.array(matchReason),
  /**
   * The tools of the sliced file that this printer would print, sorted by number. Empty without a sliced file, or if
   * the file names no tools.
   */
  tools: z.array(matchedTool),
})
export type PrinterMatch = z.output<typeof match>

export const listPrinterMatches = get('/api/print-queue/:id/matches', 'signed-in', {
  summary: 'All printers, the best one first, each with the reasons why it cannot print a job now',
  returns: z.array(match),
})

export const assignPrintJob = post('/api/print-queue/:id/assign', 'staff', {
  summary: 'Choose the printer that a job waits for; an admin may choose one that does not fit',
  body: z.object({
    /** The printer. Null means any printer that fits. */
    printer_id: z.nullable(z.uuid('printer_id is not an id')),
    /** Assigns the printer even if it does not fit. Only for admins. */
    override: z._default(z.boolean('override must be true or false'), false),
  }),
  returns: printJob,
  errors: ['PRINTER_NOT_FOUND', 'PRINTER_DOES_NOT_FIT', 'PRINT_JOB_STATE', 'MALFORMED_REQUEST'],
})
