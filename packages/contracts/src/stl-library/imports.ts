import * as z from 'zod/mini'
import { nullable, timestamp } from '../fields.ts'
import { declareEndpoints } from '../endpoint.ts'
import { MODEL_FORMATS } from './models.ts'

const { get, list, post, del } = declareEndpoints('stl-library', { notFound: 'IMPORT_NOT_FOUND' })

/**
 * `fetching` means that the address is being downloaded. `choosing` means that an archive waits until a
 * person picks files. `importing` means that files of an archive are becoming models, one after the other.
 * The other states are final.
 */
const IMPORT_STATUSES = ['fetching', 'choosing', 'importing', 'done', 'failed', 'cancelled'] as const
export type ImportStatus = (typeof IMPORT_STATUSES)[number]

/** A file in an archive. `format` is null for a file that is not a model and cannot be chosen. */
const archiveEntry = z.object({
  /** Position of the file in the archive. A person's choice refers to it in its `entries`. */
  index: z.number(),
  name: z.string(),
  size: z.number(),
  format: z.nullable(z.enum(MODEL_FORMATS)),
  /** `offered` means that a person has not chosen yet. `skipped` means that the file was not chosen. */
  status: z.enum(['offered', 'skipped', 'waiting', 'done', 'failed']),
  stl_file_id: nullable.id,
  /**
   * A model in the library with exactly the same bytes. Null or missing if none is known. Before the choice,
   * only files that have the same size as some model are compared, up to 256 MiB in total. An imported file
   * is always compared.
   */
  duplicate_of: z.optional(nullable.id),
  /** Why the import of the file failed, and what a person can do. */
  error: nullable.text,
})
export type ArchiveEntry = z.output<typeof archiveEntry>

/**
 * A long upload, either from a web address or from an archive whose files a person picks. If the address leads to a
 * single model, the import has the id that the model will get.
 */
export const stlImport = z.object({
  id: z.uuid(),
  source: z.enum(['url', 'archive']),
  status: z.enum(IMPORT_STATUSES),
  url: nullable.text,
  file_name: nullable.text,
  received_bytes: z.number(),
  /** Size of the download. Null until the other server has sent it. */
  total_bytes: nullable.number,
  /** Files of the archive. Null for a single model. */
  entries: z.nullable(z.array(archiveEntry)),
  stl_file_id: nullable.id,
  error: nullable.text,
  created_at: timestamp,
  updated_at: timestamp,
  /** The time when an archive without a choice is deleted. */
  expires_at: nullable.timestamp,
})
export type ModelImport = z.output<typeof stlImport>

export const listModelImports = list('/api/stl-imports', 'staff', {
  summary: "The caller's own imports of the last days, newest first",
  of: stlImport,
})

export const getModelImport = get('/api/stl-imports/:id', 'staff', {
  summary: 'State and progress of one import',
  returns: stlImport,
})

export const chooseArchiveEntries = post('/api/stl-imports/:id/choose', 'staff', {
  summary: 'Choose the files of an archive that become models; the other files are skipped',
  body: z.object({
    entries: z
      .array(z.number().check(z.int('entries must be whole numbers'), z.gte(0, 'entries must be 0 or more')))
      .check(
        z.minLength(1, 'Please choose at least one file.'),
        z.maxLength(10_000, 'Choose at most 10,000 files at a time.'),
      ),
  }),
  success: { status: 202, body: stlImport },
  errors: ['MALFORMED_REQUEST', 'IMPORT_STATE', 'IDEMPOTENCY_KEY_REUSED'],
})

export const retryModelImport = post('/api/stl-imports/:id/retry', 'staff', {
  summary: 'Repeat a failed import: the download, or the files that failed',
  success: { status: 202, body: stlImport },
  errors: [
    'MALFORMED_REQUEST',
    'IMPORT_STATE',
    'IDEMPOTENCY_KEY_REUSED',
    'MODEL_URL_REFUSED',
    'TOO_MANY_IMPORTS',
  ],
})

export const cancelModelImport = del('/api/stl-imports/:id', 'staff', {
  summary: 'Stop an import, or remove a finished one from the list; imported models stay',
})
