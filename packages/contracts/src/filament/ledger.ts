import * as z from 'zod/mini'
import { actor, pageQuery, timestamp } from '../fields.ts'
import { declareEndpoints } from '../endpoint.ts'
import { spool } from './spools.ts'
import { MAX_SPOOL_GRAMS } from './spool-changes.ts'
import { clearableText } from '../stl-library/upload.ts'

const { get, post } = declareEndpoints('filament')

/** The journal behind what is left on a spool: each change is an entry, and entries stay. */

export const SPOOL_ENTRY_KINDS = ['open', 'use', 'weigh', 'correct', 'waste'] as const
export type SpoolEntryKind = (typeof SPOOL_ENTRY_KINDS)[number]

export const MAX_LENGTH_MM = 1_000_000_000

export const spoolEntry = z.object({
  id: z.uuid(),
  spool_id: z.uuid(),
  kind: z.enum(SPOOL_ENTRY_KINDS),
  delta_grams: z.number(),
  before_grams: z.number(),
  after_grams: z.number(),
  /** What was reported, where that was more than the spool still had. */
  reported_grams: z.nullable(z.number()),
  length_mm: z.nullable(z.number()),
  /** What the scale said, spool and all. */
  gross_grams: z.nullable(z.number()),
  reason: z.nullable(z.string()),
  print_job_id: z.nullable(z.uuid()),
  print_job_label: z.nullable(z.string()),
  /** The entry that this one takes back. */
  undoes_id: z.nullable(z.uuid()),
  is_undone: z.boolean(),
  /** Whether it can be undone now: no opening balance, and nothing has been weighed or corrected since. */
  can_undo: z.boolean(),
  actor,
  created_at: timestamp,
  /** When a printer that reports as it prints last added to it. */
  last_at: timestamp,
})
export type SpoolEntry = z.output<typeof spoolEntry>

/** The spool as it is afterwards, and the entry that made it so. */
const spoolWithEntry = z.extend(spool, { entry: spoolEntry })
export type SpoolWithEntry = z.output<typeof spoolWithEntry>

const reason = clearableText(500, 'Reason')

const amount = (name: string, most: number, unit: string) => {
  const message = `${name} must be more than 0${unit} and at most ${most}${unit}`
  return z.number(message).check(z.gt(0, message), z.lte(most, message))
}

const weight = (name: string) => {
  const message = `${name} must be from 0 to ${MAX_SPOOL_GRAMS} g`
  return z.number(message).check(z.gte(0, message), z.lte(MAX_SPOOL_GRAMS, message))
}

/** Exactly one of `grams` and `length_mm`. */
export const useSpoolBody = z.object({
  grams: z.optional(amount('grams', MAX_SPOOL_GRAMS, ' g')),
  length_mm: z.optional(amount('length_mm', MAX_LENGTH_MM, ' mm')),
  /** `waste`: spoilt rather than printed. */
  kind: z._default(z.enum(['use', 'waste'], 'kind is use or waste'), 'use'),
  print_job_id: z.optional(z.nullable(z.uuid('print_job_id is not an id'))),
  reason,
})
export type UseSpoolBody = z.output<typeof useSpoolBody>

const BOOKS = [
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'SPOOL_NOT_FOUND',
  'SPOOL_WEIGHT_LIMIT',
  'INVALID_INPUT',
  'MALFORMED_REQUEST',
  'IDEMPOTENCY_KEY_REUSED',
] as const

export const useSpool = post('/api/filament/:id/use', 'staff', {
  summary: 'Take filament off a spool; more than is left empties it, and the entry keeps what was reported',
  body: useSpoolBody,
  returns: spoolWithEntry,
  errors: [...BOOKS, 'PRINT_JOB_NOT_FOUND'],
})

/** `spool_weight_grams` is kept with the spool, where nobody knew yet what it weighs empty. */
export const weighSpoolBody = z.object({
  gross_grams: weight('gross_grams'),
  spool_weight_grams: z.optional(weight('spool_weight_grams')),
  reason,
})
export type WeighSpoolBody = z.output<typeof weighSpoolBody>

export const weighSpool = post('/api/filament/:id/weigh', 'staff', {
  summary: 'Put a spool on the scale: what it weighs now, less what it weighs empty, is what is left',
  body: weighSpoolBody,
  returns: spoolWithEntry,
  errors: [...BOOKS, 'SPOOL_INVALID'],
})

export const correctSpoolBody = z.object({
  remaining_grams: weight('remaining_grams'),
  reason: z.string('Please say why.').check(
    z.trim(),
    z.minLength(1, 'Please say why.'),
    z.maxLength(500, 'Reason has at most 500 characters'),
    z.refine((text) => !text.includes('\0'), 'Reason holds a character that no text has'),
  ),
})

export const correctSpool = post('/api/filament/:id/correct', 'staff', {
  summary: 'Say what is really left on a spool, and why',
  body: correctSpoolBody,
  returns: spoolWithEntry,
  errors: BOOKS,
})

export const listSpoolLedger = get('/api/filament/:id/ledger', 'signed-in', {
  summary: 'How a spool came to what is left on it, newest first',
  query: z.object(pageQuery),
  returns: z.array(spoolEntry),
  errors: ['SPOOL_NOT_FOUND'],
})

export const undoSpoolEntry = post('/api/spool-entries/:id/undo', 'staff', {
  summary: 'Take an entry of a ledger back by a further one',
  returns: spoolWithEntry,
  errors: ['SPOOL_ENTRY_NOT_FOUND', 'SPOOL_ENTRY_UNDONE', 'SPOOL_ENTRY_STAYS', 'SPOOL_WEIGHT_LIMIT'],
})
