import * as z from 'zod/mini'
import { nullable, numberBetween, positiveNumber, wholeNumber } from '../fields.ts'
import { declareEndpoints } from '../endpoint.ts'
import { MAX_ESTIMATED_MINUTES, MAX_JOB_QUANTITY, printJob } from './jobs.ts'

/** The print queue for printer agents, which use API keys with the scope `print-jobs`. */
const { get, post, declareActions } = declareEndpoints('print-jobs', { notFound: 'PRINT_JOB_NOT_FOUND' })

/** Maximum length of a printer's name. This limit and the next two also apply in `printers.ts`. */
export const PRINTER_NAME_MAX_LENGTH = 100
export const MAX_BED_MM = 10_000
export const MAX_NOZZLE_MM = 10
const bedSide = positiveNumber('Each side of bed_mm', MAX_BED_MM, ' mm')

/** A claim ends after this many seconds without a heartbeat. */
export const LEASE_SECONDS = 60
const AGENT_MAX_LENGTH = 100
export const FAILURE_REASON_MAX_LENGTH = 500

const ACCESS = { scope: 'print-jobs', owner: 'staff' } as const

/** A tool that a sliced file uses. Values that the file does not contain are null. */
const fileTool = z.object({
  /** Number of the tool, counted from 0 as in G-code. */
  tool: z.number(),
  material: nullable.text,
  /** The color as `#rrggbb`. */
  color_hex: nullable.text,
  grams: nullable.number,
  /** The slot of the printer from which the tool prints, counted from 1. Null if no recorded spool fits. */
  slot: nullable.number,
})

/** A print job as an agent gets it: without its order and other fields that agents do not need. */
const agentJob = z.extend(
  z.omit(printJob, {
    stl_thumbnail_path: true,
    stl_current_version_number: true,
    order_id: true,
    order_number: true,
    waits_for: true,
    assigned_printer_id: true,
    order_line_id: true,
    cost: true,
    planned_cost: true,
  }),
  {
    /**
     * Id of the claim. Agents send it back with each report, so that the server can tell an old claim from a newer
     * claim with the same key.
     */
    lease_id: nullable.id,
    lease_expires_at: nullable.timestamp,
    /**
     * The best sliced file for the printer, otherwise the model. It can be downloaded from `path` for as long
     * as the lease lasts. Null if no model is linked.
     */
    file: z.nullable(
      z.object({
        path: z.string(),
        file_name: z.string(),
        file_size: z.number(),
        sha256: z.string(),
        /** `stl`, `3mf` or `obj` for a model; `gcode`, `bgcode` or `gcode.3mf` for a sliced file. */
        format: z.string(),
        /** Id of the sliced file, or null if the file is the model. */
        slice_id: nullable.id,
        /**
         * Number of the plate to print, counted from 1. A `gcode.3mf` can contain several plates. Null if the file is
         * the model.
         */
        plate: nullable.number,
        /** Number of pieces that the claim prints. Null without a lease. */
        pieces: nullable.number,
        /** The tools that the plate uses, by number. Empty if the file is the model or names no tools. */
        tools: z.array(fileTool),
      }),
    ),
  },
)
export type AgentJob = z.output<typeof agentJob>

const UNREADABLE = /[\p{Cc}\p{Cs}\u2028\u2029]/u

/** A string that is not empty and has only one line. */
export const line = (name: string, maxLength: number) =>
  z.string(`${name} is required`).check(
    z.trim(),
    z.minLength(1, `${name} is required`),
    z.maxLength(maxLength, `${name} can have at most ${maxLength} characters`),
    z.refine((text) => !UNREADABLE.test(text), `${name} contains control characters`),
  )

/** An optional number of pieces of a job. */
export const pieces = (name: string) => z.optional(wholeNumber(name, 0, MAX_JOB_QUANTITY))

/**
 * Id of the claim that an agent reports about. Without it, `complete` and `fail` end the only plate that is being
 * printed with this API key, and are refused if it is unclear which plate is meant. `complete` is also refused if the
 * same call ended another plate less than a minute ago, because no plate prints that fast. A heartbeat without it
 * renews the key's newest claim of the job, and a download returns the file of that claim.
 */
const leaseId = z.optional(z.uuid('lease_id does not come from a claim'))

const shortTexts = (name: string) =>
  z
    .array(line(name, 100))
    .check(z.minLength(1, `${name} must name at least one`), z.maxLength(50, `${name} can name at most 50`))

/** The agent's printer and its capabilities. Each capability that is sent narrows the choice of jobs. */
export const claimPrintJobBody = z.strictObject({
  /** The display name of the agent. */
  agent: line('agent', AGENT_MAX_LENGTH),
  /**
   * Name of the agent's printer. An unknown printer is added with the kind `agent`. The bed and nozzle of a
   * known printer can be left out.
   */
  printer: z.optional(line('printer', PRINTER_NAME_MAX_LENGTH)),
  /**
   * The loaded materials. The agent then gets only jobs with one of these materials or without a material, and only
   * sliced files whose used tools all print one of these materials.
   */
  materials: z.optional(shortTexts('materials')),
  bed_mm: z.optional(
    z.tuple([bedSide, bedSide, bedSide], 'bed_mm must be [width, depth, height] in millimeters'),
  ),
  nozzle_mm: z.optional(positiveNumber('nozzle_mm', MAX_NOZZLE_MM, ' mm')),
  /** Formats that the printer can read: `gcode`, `stl` and so on. */
  file_types: z.optional(shortTexts('file_types')),
})
export type ClaimPrintJobBody = z.output<typeof claimPrintJobBody>

export const claimPrintJob = post('/api/print-jobs/claim', ACCESS, {
  summary: `Claim the next pending job, by priority, position and age, for ${LEASE_SECONDS} s; 204 if no job is pending, or if the bed of the named printer has to be cleared`,
  body: claimPrintJobBody,
  returns: agentJob,
  alternative: 204,
  errors: ['PRINTER_BUSY', 'PRINTER_STATE', 'MALFORMED_REQUEST'],
})

/** Declares a report about a claimed job. */
const report = declareActions('/api/print-jobs/:id', ACCESS, {
  returns: agentJob,
  errors: ['PRINT_JOB_NOT_YOURS', 'MALFORMED_REQUEST'],
})

export const heartbeatPrintJob = report(
  'heartbeat',
  `Extend a claim by ${LEASE_SECONDS} s and report the progress. If a person has ended the print, the refusal (409, or 404 for a deleted job) has \`"command": "cancel"\`: stop the printer`,
  {
    body: z.nullish(
      z.strictObject({
        /** Progress from 0 to 1. Left out until the print has begun. */
        progress: z.optional(numberBetween('progress', 0, 1)),
        lease_id: leaseId,
      }),
    ),
  },
)

export const MAX_USED_GRAMS = 1_000_000
/** Maximum length of filament for each amount in a report, in millimeters. */
export const MAX_USED_MM = 1_000_000_000
const MAX_TOOLS = 16

/** Either one amount, or a list with one amount for each tool of the printer, from the first tool on. */
export const byTool = (name: string, most: number) => {
  const amount = numberBetween(name, 0, most)
  return z.optional(z.union([amount, z.array(amount).check(z.minLength(1), z.maxLength(MAX_TOOLS))]))
}

/** Filament, as weight or length, and time that a print used. Repeating the call books them only once. */
const used = {
  used_grams: byTool('used_grams', MAX_USED_GRAMS),
  used_mm: byTool('used_mm', MAX_USED_MM),
  print_minutes: z.optional(wholeNumber('print_minutes', 0, MAX_ESTIMATED_MINUTES)),
}
const eitherWeightOrLength = z.refine<{ used_grams?: unknown; used_mm?: unknown }>(
  (body) => body.used_grams === undefined || body.used_mm === undefined,
  'Send used_grams or used_mm, not both',
)

/** Report about a finished plate. If no counts are sent, all pieces count as good. */
const completePrintJobBody = z.nullish(
  z
    .strictObject({
      good_quantity: pieces('good_quantity'),
      rejected_quantity: pieces('rejected_quantity'),
      /** Why pieces were rejected. */
      reason: z.optional(line('reason', FAILURE_REASON_MAX_LENGTH)),
      /** False if the pieces are still on the bed. The printer of the claim then has to be cleared. */
      cleared: z.optional(z.boolean('cleared must be true or false')),
      ...used,
      lease_id: leaseId,
    })
    .check(eitherWeightOrLength),
)

export const completePrintJob = report(
  'complete',
  'Finish a claimed job; its good pieces go into stock once, even if the call is repeated. Send the `lease_id` of the claim: without it, the call is refused if it is unclear which plate of the key is meant, or if another plate has just ended with the same report. With `cleared: false`, the printer of the claim gets no job until a person has cleared it',
  { body: completePrintJobBody, errors: ['PRINT_JOB_INVALID', 'STOCK_LIMIT', 'IDEMPOTENCY_KEY_REUSED'] },
)

export const failPrintJob = report(
  'fail',
  'Report a claimed job as failed, with a reason that people can read. Send the `lease_id` of the claim',
  {
    body: z
      .strictObject({
        reason: line('reason', FAILURE_REASON_MAX_LENGTH),
        rejected_quantity: pieces('rejected_quantity'),
        /** False if something is still on the bed. The printer of the claim then has to be cleared. */
        cleared: z.optional(z.boolean('cleared must be true or false')),
        ...used,
        lease_id: leaseId,
      })
      .check(eitherWeightOrLength),
    errors: ['PRINT_JOB_INVALID', 'IDEMPOTENCY_KEY_REUSED'],
  },
)

export const getPrintJobFile = get('/api/print-jobs/:id/file', ACCESS, {
  summary: 'The model of a claimed job, byte for byte, as it was when the job was queued',
  sends: 'model/stl',
  errors: ['PRINT_JOB_NOT_YOURS', 'PRINT_JOB_FILE_MISSING'],
})
