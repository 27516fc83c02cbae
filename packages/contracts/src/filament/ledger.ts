import * as z from 'zod/mini'
import {
  actor,
  clearableId,
  clearableText,
  nullable,
  numberBetween,
  positiveNumber,
  requiredText,
  timestamp,
} from '../fields.ts'
import { declareEndpoints } from '../endpoint.ts'
import { spool } from './spools.ts'
import { MAX_SPOOL_GRAMS } from './spool-changes.ts'

/** The ledger of a spool's remaining weight. Each change adds an entry; entries are never removed. */
const { list, declareActions } = declareEndpoints('filament', { notFound: 'SPOOL_NOT_FOUND' })
const entries = declareEndpoints('filament', { notFound: 'SPOOL_ENTRY_NOT_FOUND' })

const SPOOL_ENTRY_KINDS = ['open', 'use', 'weigh', 'correct', 'waste'] as const
export type SpoolEntryKind = (typeof SPOOL_ENTRY_KINDS)[number]

export const MAX_LENGTH_MM = 1_000_000_000

const spoolEntry = z.object({
  id: z.uuid(),
  spool_id: z.uuid(),
  kind: z.enum(SPOOL_ENTRY_KINDS),
  delta_grams: z.number(),
  before_grams: z.number(),
  after_grams: z.number(),
  /** The reported or estimated use, if it was more than the filament that the spool still had. Otherwise null. */
  reported_grams: nullable.number,
  length_mm: nullable.number,
  /** The weight on the scale, including the empty spool. */
  gross_grams: nullable.number,
  reason: nullable.text,
  print_job_id: nullable.id,
  print_job_label: nullable.text,
  /** The entry that this one undoes. */
  undoes_id: nullable.id,
  is_undone: z.boolean(),
  /**
   * Whether the entry can be undone now. This is impossible for the opening entry, and for entries before a
   * weighing or correction.
   */
  can_undo: z.boolean(),
  actor,
  created_at: timestamp,
  /** The last time when a printer added to this entry while printing. */
  last_at: timestamp,
})
export type SpoolEntry = z.output<typeof spoolEntry>

/** A spool after a change, with the entry that changed it. */
const spoolWithEntry = z.extend(spool, { entry: spoolEntry })
export type SpoolWithEntry = z.output<typeof spoolWithEntry>

const reason = clearableText(500, 'Reason')

const weight = (name: string) => numberBetween(name, 0, MAX_SPOOL_GRAMS, ' g')

/** Exactly one of `grams` and `length_mm` must be given. */
export const useSpoolBody = z.object({
  grams: z.optional(positiveNumber('grams', MAX_SPOOL_GRAMS, ' g')),
  length_mm: z.optional(positiveNumber('length_mm', MAX_LENGTH_MM, ' mm')),
  /** `waste` is filament that was wasted instead of printed. */
  kind: z._default(z.enum(['use', 'waste'], 'kind must be use or waste'), 'use'),
  print_job_id: clearableId('print_job_id'),
  reason,
})
export type UseSpoolBody = z.output<typeof useSpoolBody>

/** Declares a change that adds an entry to the ledger of a spool. */
const booking = declareActions('/api/filament/:id', 'staff', {
  returns: spoolWithEntry,
  errors: ['SPOOL_WEIGHT_LIMIT', 'MALFORMED_REQUEST', 'IDEMPOTENCY_KEY_REUSED'],
})

export const useSpool = booking(
  'use',
  'Book used filament; if it exceeds the remaining weight, the spool becomes empty, and the entry keeps the reported amount',
  { body: useSpoolBody, errors: ['PRINT_JOB_NOT_FOUND'] },
)

/** `spool_weight_grams` is stored with the spool if the weight of the empty spool was not known. */
export const weighSpoolBody = z.object({
  gross_grams: weight('gross_grams'),
  spool_weight_grams: z.optional(weight('spool_weight_grams')),
  reason,
})
export type WeighSpoolBody = z.output<typeof weighSpoolBody>

export const weighSpool = booking(
  'weigh',
  'Weigh a spool: the remaining weight is the reading minus the empty weight',
  { body: weighSpoolBody, errors: ['SPOOL_INVALID'] },
)

export const correctSpoolBody = z.object({
  remaining_grams: weight('remaining_grams'),
  reason: requiredText(500, 'Reason', 'Please enter a reason.'),
})

export const correctSpool = booking('correct', 'Correct the remaining weight of a spool, with a reason', {
  body: correctSpoolBody,
})

export const listSpoolLedger = list('/api/filament/:id/ledger', 'signed-in', {
  summary: 'Ledger of a spool, newest entry first',
  of: spoolEntry,
})

export const undoSpoolEntry = entries.post('/api/spool-entries/:id/undo', 'staff', {
  summary: 'Undo a ledger entry by adding a reverse entry',
  returns: spoolWithEntry,
  errors: ['SPOOL_ENTRY_UNDONE', 'SPOOL_ENTRY_STAYS', 'SPOOL_WEIGHT_LIMIT'],
})
