import * as z from 'zod/mini'
import { pageQuery, timestamp } from '../fields.ts'
import { declareEndpoints } from '../endpoint.ts'
import { MODEL_FORMATS } from './models.ts'

const { get, post, del } = declareEndpoints('stl-library')

/**
 * `fetching`: from the given address; `choosing`: an archive waits for somebody to say what of it is wanted;
 * `importing`: files of an archive become models one after the other; the rest are ends.
 */
export const IMPORT_STATUSES = ['fetching', 'choosing', 'importing', 'done', 'failed', 'cancelled'] as const
export type ImportStatus = (typeof IMPORT_STATUSES)[number]

/** A file within an archive. `format` is null for what is no model, which cannot be chosen. */
const archiveEntry = z.object({
  /** Its place in the archive, by which it is chosen. */
  index: z.number(),
  name: z.string(),
  size: z.number(),
  format: z.nullable(z.enum(MODEL_FORMATS)),
  /** `offered` until somebody chooses; `skipped` was not chosen. */
  status: z.enum(['offered', 'skipped', 'waiting', 'done', 'failed']),
  stl_file_id: z.nullable(z.uuid()),
  /**
   * The model of the library that has the very same bytes; null or absent where none is known. Before a choice files are
   * looked at whose size some model has, up to 256 MiB of them; what has become a model always tells.
   */
  duplicate_of: z.optional(z.nullable(z.uuid())),
  /** Why it failed, in words that a person can act on. */
  error: z.nullable(z.string()),
})
export type ArchiveEntry = z.output<typeof archiveEntry>

/**
 * An upload that takes its time: by address, or an archive to choose from. One by address that brings a single model
 * has the id that its model will have.
 */
export const stlImport = z.object({
  id: z.uuid(),
  source: z.enum(['url', 'archive']),
  status: z.enum(IMPORT_STATUSES),
  url: z.nullable(z.string()),
  file_name: z.nullable(z.string()),
  received_bytes: z.number(),
  /** Null while the other side has not said. */
  total_bytes: z.nullable(z.number()),
  /** Null for a single model. */
  entries: z.nullable(z.array(archiveEntry)),
  stl_file_id: z.nullable(z.uuid()),
  error: z.nullable(z.string()),
  created_at: timestamp,
  updated_at: timestamp,
  /** When an archive that nobody chose from is thrown away. */
  expires_at: z.nullable(timestamp),
})
export type ModelImport = z.output<typeof stlImport>

export const listModelImports = get('/api/stl-imports', 'staff', {
  summary: "The caller's own imports of the last days, newest first",
  query: z.object(pageQuery),
  returns: z.array(stlImport),
})

export const getModelImport = get('/api/stl-imports/:id', 'staff', {
  summary: 'How far an import is',
  returns: stlImport,
  errors: ['IMPORT_NOT_FOUND'],
})

export const chooseArchiveEntries = post('/api/stl-imports/:id/choose', 'staff', {
  summary: 'Say which files of an archive become models; the others are skipped',
  body: z.object({
    entries: z
      .array(z.number().check(z.int('entries are whole numbers'), z.gte(0, 'entries begin at 0')))
      .check(
        z.minLength(1, 'Please choose at least one file.'),
        z.maxLength(10_000, 'These are too many files at a time.'),
      ),
  }),
  success: { status: 202, body: stlImport },
  errors: ['MALFORMED_REQUEST', 'IMPORT_NOT_FOUND', 'IMPORT_STATE', 'IDEMPOTENCY_KEY_REUSED'],
})

export const retryModelImport = post('/api/stl-imports/:id/retry', 'staff', {
  summary: 'Try a failed import again: the fetch, or the files that failed',
  success: { status: 202, body: stlImport },
  errors: [
    'MALFORMED_REQUEST',
    'IMPORT_NOT_FOUND',
    'IMPORT_STATE',
    'IDEMPOTENCY_KEY_REUSED',
    'MODEL_URL_REFUSED',
    'TOO_MANY_IMPORTS',
  ],
})

export const cancelModelImport = del('/api/stl-imports/:id', 'staff', {
  summary: 'End an import, or take a finished one off the list; models that arrived stay',
  errors: ['IMPORT_NOT_FOUND'],
})
