import * as z from 'zod/mini'
import { timestamp, numberBetween, wholeNumber } from '../fields.ts'
import { declareEndpoints } from '../endpoint.ts'
import { MAX_JOB_QUANTITY, printJob } from './jobs.ts'

/** The print queue for printer agents, which use API keys with the scope `print-jobs`. */
const { get, post, declareActions } = declareEndpoints('print-jobs', { notFound: 'PRINT_JOB_NOT_FOUND' })

/** A claim ends after this time without a heartbeat. */
export const LEASE_SECONDS = 60
const AGENT_MAX_LENGTH = 100
export const FAILURE_REASON_MAX_LENGTH = 500

const ACCESS = { scope: 'print-jobs', owner: 'staff' } as const

/** A job for an agent. The order that it belongs to is left out, because agents do not need it. */
const agentJob = z.extend(
  z.omit(printJob, {
    stl_thumbnail_path: true,
    stl_current_version_number: true,
    order_id: true,
    order_number: true,
  }),
  {
    /** Id of the claim. Agents send it back, so that an old claim differs from a newer one with the same key. */
    lease_id: z.nullable(z.uuid()),
    lease_expires_at: z.nullable(timestamp),
    /** The file to print, at `path` while the lease lasts; null if no model is linked. */
    file: z.nullable(
      z.object({
        path: z.string(),
        file_name: z.string(),
        file_size: z.number(),
        sha256: z.string(),
      }),
    ),
  },
)
export type AgentJob = z.output<typeof agentJob>

const UNREADABLE = /[\p{Cc}\p{Cs}\u2028\u2029]/u

/** A non-empty text of one line. */
export const line = (name: string, maxLength: number) =>
  z.string(`${name} is required`).check(
    z.trim(),
    z.minLength(1, `${name} is required`),
    z.maxLength(maxLength, `${name} has at most ${maxLength} characters`),
    z.refine((text) => !UNREADABLE.test(text), `${name} contains control characters`),
  )

/** A number of pieces of a job. */
export const pieces = (name: string) => z.optional(wholeNumber(name, 0, MAX_JOB_QUANTITY))

/** Agents that share a key send the `lease_id` of their claim. Left out: any claim of the key counts. */
const leaseId = z.optional(z.uuid('lease_id is not one that a claim gave out'))

export const claimPrintJob = post('/api/print-jobs/claim', ACCESS, {
  summary: `Claim the next pending job, by priority, position and age, for ${LEASE_SECONDS} s; 204 if there is none`,
  /** `agent` is the name of the agent, for people. */
  body: z.object({ agent: line('agent', AGENT_MAX_LENGTH) }),
  returns: agentJob,
  alternative: 204,
  errors: ['MALFORMED_REQUEST'],
})

/** Declares a report about a claimed job. */
const report = declareActions('/api/print-jobs/:id', ACCESS, {
  returns: agentJob,
  errors: ['PRINT_JOB_NOT_YOURS', 'MALFORMED_REQUEST'],
})

export const heartbeatPrintJob = report(
  'heartbeat',
  `Extend a claim by ${LEASE_SECONDS} s and report the progress`,
  {
    body: z.nullish(
      z.object({
        /** 0 to 1. */
        progress: z.optional(numberBetween('progress', 0, 1)),
        lease_id: leaseId,
      }),
    ),
  },
)

/** Without counts, all pieces are good. */
const completePrintJobBody = z.nullish(
  z.object({
    good_quantity: pieces('good_quantity'),
    rejected_quantity: pieces('rejected_quantity'),
    lease_id: leaseId,
  }),
)

export const completePrintJob = report(
  'complete',
  'Finish a claimed job; its good pieces go into stock, once even if reported repeatedly',
  { body: completePrintJobBody, errors: ['PRINT_JOB_INVALID', 'STOCK_LIMIT'] },
)

export const failPrintJob = report('fail', 'Report a claimed job as failed, with a reason for people', {
  body: z.object({
    reason: line('reason', FAILURE_REASON_MAX_LENGTH),
    rejected_quantity: pieces('rejected_quantity'),
    lease_id: leaseId,
  }),
  errors: ['PRINT_JOB_INVALID'],
})

export const getPrintJobFile = get('/api/print-jobs/:id/file', ACCESS, {
  summary: 'The model of a claimed job, byte for byte, as it was when the job was queued',
  sends: 'model/stl',
  errors: ['PRINT_JOB_NOT_YOURS', 'PRINT_JOB_FILE_MISSING'],
})
