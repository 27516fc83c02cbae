import * as z from 'zod/mini'
import {
  bulkIds,
  clearableAddress,
  clearableText,
  nullable,
  optionalText,
  requiredText,
  timestamp,
} from '../fields.ts'
import { declareEndpoints } from '../endpoint.ts'
import { LICENSE_TYPES } from './licenses.ts'
import { DESCRIPTION_MAX_LENGTH, MODEL_FORMATS, stlFile, TITLE_MAX_LENGTH, tagList } from './models.ts'
import { FILE_FORM_ERRORS } from './upload.ts'

const { get, post, put, declareTrash } = declareEndpoints('stl-library', { notFound: 'MODEL_NOT_FOUND' })
const versions = declareEndpoints('stl-library', { notFound: 'VERSION_NOT_FOUND' })

/** Fields that a person can change. Missing fields stay unchanged. */
export const updateModelBody = z.object({
  title: z.optional(requiredText(TITLE_MAX_LENGTH, 'Title')),
  description: clearableText(DESCRIPTION_MAX_LENGTH, 'Description'),
  tags: z.optional(tagList),
  license_type: z.optional(z.enum(LICENSE_TYPES, 'License must be one of the licenses offered')),
  attribution_url: clearableAddress('Attribution URL'),
  print_material: clearableText(100, 'Print material'),
  print_notes: clearableText(DESCRIPTION_MAX_LENGTH, 'Print notes'),
  /** Whether prints may be sold. It matters only for a Custom license, which leaves the question open. */
  sale_allowed: z.optional(z.nullable(z.boolean('sale_allowed must be true, false or null'))),
  sale_note: clearableText(2000, 'The note on selling'),
})
export type UpdateModelBody = z.output<typeof updateModelBody>

export const updateModel = put('/api/stl-files/:id', 'staff', {
  summary: 'Change the title, tags, license and notes of a model',
  body: updateModelBody,
  returns: stlFile,
  errors: ['PRECONDITION_FAILED', 'PRECONDITION_REQUIRED'],
})

export const { remove: deleteModel, restore: restoreModel } = declareTrash('/api/stl-files', 'staff', {
  name: 'a model',
  returns: stlFile,
})

/** Maximum number of models in one bulk change. */
export const MAX_BULK_MODELS = 1000

/** Apply one change to many models. Missing fields stay unchanged. */
const bulkEditBody = z.object({
  ids: bulkIds('model', MAX_BULK_MODELS),
  /**
   * The revision of each model as the client read it, by id. A model with a newer revision is skipped if the
   * change would replace a field or move the model. Tags are still added and removed, because that overwrites
   * nothing. A model without an entry is always changed.
   */
  revisions: z.optional(z.record(z.uuid('This is not an id'), z.int('A revision must be a whole number'))),
  license_type: z.optional(z.enum(LICENSE_TYPES, 'License must be one of the licenses offered')),
  sale_allowed: z.optional(z.nullable(z.boolean('sale_allowed must be true, false or null'))),
  print_material: clearableText(100, 'Print material'),
  add_tags: z.optional(tagList),
  remove_tags: z.optional(tagList),
  /** Moves the models to the trash or back. No other change may be combined with it. */
  move: z.optional(z.enum(['bin', 'library'], 'move must be bin or library')),
})
export type BulkEditBody = z.output<typeof bulkEditBody>

/** The outcome for each object. A failed object is listed with its reason and does not stop the others. */
export const bulkResult = z.object({
  changed: z.array(z.uuid()),
  failed: z.array(z.object({ id: z.uuid(), detail: z.string() })),
})
export type BulkResult = z.output<typeof bulkResult>

/** The outcome for each model. Other people may have changed the models since the client read them. */
const bulkEditResult = z.object({
  changed: z.array(z.uuid()),
  failed: z.array(
    z.object({ id: z.uuid(), detail: z.string(), code: z.optional(z.literal('changed_meanwhile')) }),
  ),
  /**
   * Current revision of each model that exists, by id. A client can send them back as `revisions` to make the change in
   * spite of the newer versions.
   */
  revisions: z.record(z.string(), z.number()),
})
export type BulkEditResult = z.output<typeof bulkEditResult>

export const bulkEditModels = post('/api/stl-files/bulk', 'staff', {
  summary: 'Apply one change to many models',
  body: bulkEditBody,
  returns: bulkEditResult,
})

/** One file of a model, current or earlier. Print jobs keep the version with which they were created. */
const stlVersion = z.object({
  id: z.uuid(),
  number: z.number(),
  is_current: z.boolean(),
  file_name: z.string(),
  file_size: z.number(),
  sha256: z.string(),
  format: z.enum(MODEL_FORMATS),
  triangles: nullable.number,
  note: nullable.text,
  uploaded_by: nullable.text,
  created_at: timestamp,
})
export type ModelVersion = z.output<typeof stlVersion>

export const listModelVersions = get('/api/stl-files/:id/versions', 'signed-in', {
  summary: 'The versions of a model, newest first',
  returns: z.array(stlVersion),
})

export const addStlVersionFields = z.object({ note: optionalText(2000, 'Note') })

export const addModelVersion = post('/api/stl-files/:id/versions', 'staff', {
  summary: 'Add a new file to a model',
  fileField: 'file',
  body: addStlVersionFields,
  creates: stlFile,
  errors: [...FILE_FORM_ERRORS, 'VERSION_UNCHANGED'],
})

export const makeModelVersionCurrent = versions.post('/api/stl-versions/:id/make-current', 'staff', {
  summary: 'Make an earlier version of a model current again',
  returns: stlFile,
})

export const getModelVersionBytes = versions.get('/api/stl-versions/:id/file', 'signed-in', {
  summary: 'The file of a version, byte for byte, but without slicer commands',
  sends: 'application/octet-stream',
})

const named = z.object({ id: z.uuid(), name: z.string() })

/** Objects that use a model. `name` is the name of the item or product. */
const stlFileUses = z.object({
  items: z.array(z.extend(named, { sku: z.string(), quantity: z.number() })),
  print_jobs: z.array(
    z.object({ id: z.uuid(), status: z.string(), quantity: z.number(), version: nullable.number }),
  ),
  products: z.array(z.extend(named, { slug: z.string(), status: z.string() })),
})
export type ModelUses = z.output<typeof stlFileUses>

export const getModelUses = get('/api/stl-files/:id/uses', 'signed-in', {
  summary: 'Items, print jobs and products that use a model',
  returns: stlFileUses,
})

export const listSimilarModels = get('/api/stl-files/:id/similar', 'signed-in', {
  summary: 'Models with the same bytes or the same shape',
  returns: z.array(z.object({ reason: z.enum(['same_bytes', 'same_shape']), model: stlFile })),
})
