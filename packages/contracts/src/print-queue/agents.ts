import * as z from 'zod/mini'
import { timestamp } from '../fields.ts'
import { declareEndpoints } from '../endpoint.ts'
import { MAX_JOB_QUANTITY, printJob } from './jobs.ts'

const { get, post } = declareEndpoints('print-jobs')

/** A printer agent's side of the print queue. For API keys of scope `print-jobs` alone. */

/** A claim holds so long without a heartbeat. */
export const LEASE_SECONDS = 60
export const AGENT_MAX_LENGTH = 100
export const FAILURE_REASON_MAX_LENGTH = 500

const ACCESS = { scope: 'print-jobs', owner: 'staff' } as const

/** What an agent needs to print a job; whose order it is, is none of its business. */
export const agentJob = z.extend(
  z.omit(printJob, {
    stl_thumbnail_path: true,
    stl_current_version_number: true,
    order_id: true,
    order_number: true,
  }),
  {
    /** Names the claim. Sent back, it tells an agent's claim from a later one with the same key. */
    lease_id: z.nullable(z.uuid()),
    lease_expires_at: z.nullable(timestamp),
    /** What to print, at `path` while the lease holds; null where no model is linked. */
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

/** A text of one line that is not empty. */
export const line = (name: string, maxLength: number) =>
  z.string(`${name} is required`).check(
    z.trim(),
    z.minLength(1, `${name} is required`),
    z.maxLength(maxLength, `${name} has at most ${maxLength} characters`),
    z.refine((text) => !UNREADABLE.test(text), `${name} holds control characters`),
  )

/** So many pieces of a job. */
export const pieces = (name: string) => {
  const message = `${name} is a whole number from 0 to ${MAX_JOB_QUANTITY}`
  return z.optional(z.int(message).check(z.gte(0, message), z.lte(MAX_JOB_QUANTITY, message)))
}

/** Agents that share a key send the `lease_id` of their claim; without it, what counts is the key. */
const leaseId = z.optional(z.uuid('lease_id is not one that a claim gave out'))

const FAILURES = [
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'TOO_MANY_REQUESTS',
  'PRINT_JOB_NOT_FOUND',
  'PRINT_JOB_NOT_YOURS',
] as const

export const claimPrintJobBody = z.object({
  /** Who prints: a name that people recognise. */
  agent: line('agent', AGENT_MAX_LENGTH),
})

export const claimPrintJob = post('/api/print-jobs/claim', ACCESS, {
  summary: `Take the next pending job, by priority, position and age, for ${LEASE_SECONDS} s; 204 if there is none`,
  body: claimPrintJobBody,
  returns: agentJob,
  alternative: 204,
  errors: ['MALFORMED_REQUEST'],
})

export const heartbeatPrintJob = post('/api/print-jobs/:id/heartbeat', ACCESS, {
  summary: `Keep a claimed job for another ${LEASE_SECONDS} s, and say how far it is`,
  body: z.nullish(
    z.object({
      /** 0 to 1. */
      progress: z.optional(
        z
          .number('progress is a number from 0 to 1')
          .check(z.gte(0, 'progress is a number from 0 to 1'), z.lte(1, 'progress is a number from 0 to 1')),
      ),
      lease_id: leaseId,
    }),
  ),
  returns: agentJob,
  errors: [...FAILURES, 'MALFORMED_REQUEST'],
})

/** Without counts all pieces are good. */
export const completePrintJobBody = z.nullish(
  z.object({
    good_quantity: pieces('good_quantity'),
    rejected_quantity: pieces('rejected_quantity'),
    lease_id: leaseId,
  }),
)

export const completePrintJob = post('/api/print-jobs/:id/complete', ACCESS, {
  summary: 'Finish a claimed job; its good pieces go into stock, once however often it is told',
  body: completePrintJobBody,
  returns: agentJob,
  errors: [...FAILURES, 'PRINT_JOB_INVALID', 'STOCK_LIMIT', 'MALFORMED_REQUEST'],
})

export const failPrintJob = post('/api/print-jobs/:id/fail', ACCESS, {
  summary: 'Give a claimed job up, with the reason that people will read',
  body: z.object({
    reason: line('reason', FAILURE_REASON_MAX_LENGTH),
    rejected_quantity: pieces('rejected_quantity'),
    lease_id: leaseId,
  }),
  returns: agentJob,
  errors: [...FAILURES, 'PRINT_JOB_INVALID', 'MALFORMED_REQUEST'],
})

export const getPrintJobFile = get('/api/print-jobs/:id/file', ACCESS, {
  summary: 'The model of a claimed job, byte for byte, as it was when the job was queued',
  sends: 'model/stl',
  errors: [...FAILURES, 'PRINT_JOB_FILE_MISSING'],
})
