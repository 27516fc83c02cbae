import * as z from 'zod/mini'
import { timestamp } from '../fields.ts'
import { declareEndpoints } from '../endpoint.ts'
import { LICENSE_TYPES } from './licenses.ts'
import { DESCRIPTION_MAX_LENGTH, MODEL_FORMATS, stlFile, TITLE_MAX_LENGTH } from './models.ts'
import { FILE_FORM_ERRORS, clearableAddress, clearableText, optionalText, tagList } from './upload.ts'

const { get, post, put, del } = declareEndpoints('stl-library')

/** Fields that a person may change; what is absent stays. */
export const updateModelBody = z.object({
  title: z.optional(
    z.string().check(
      z.trim(),
      z.minLength(1, 'Title is required'),
      z.maxLength(TITLE_MAX_LENGTH, `Title has at most ${TITLE_MAX_LENGTH} characters`),
      z.refine((text) => !text.includes('\0'), 'Title holds a character that no text has'),
    ),
  ),
  description: clearableText(DESCRIPTION_MAX_LENGTH, 'Description'),
  tags: z.optional(tagList),
  license_type: z.optional(z.enum(LICENSE_TYPES, 'License must be one of the licenses offered')),
  attribution_url: clearableAddress('Attribution URL'),
  print_material: clearableText(100, 'Print material'),
  print_notes: clearableText(DESCRIPTION_MAX_LENGTH, 'Print notes'),
  /** Whether prints may be sold, where a Custom licence leaves it open. */
  sale_allowed: z.optional(z.nullable(z.boolean('sale_allowed is true, false or null'))),
  sale_note: clearableText(2000, 'The note on selling'),
})
export type UpdateModelBody = z.output<typeof updateModelBody>

export const updateModel = put('/api/stl-files/:id', 'staff', {
  summary: 'Change what a model is called and may be used for',
  body: updateModelBody,
  returns: stlFile,
  errors: ['MODEL_NOT_FOUND', 'PRECONDITION_FAILED', 'PRECONDITION_REQUIRED'],
})

export const deleteModel = del('/api/stl-files/:id', 'staff', {
  summary: 'Put a model into the bin, which keeps it for 30 days',
  current: stlFile,
  errors: ['MODEL_NOT_FOUND', 'PRECONDITION_FAILED'],
})

export const restoreModel = post('/api/stl-files/:id/restore', 'staff', {
  summary: 'Take a model out of the bin',
  returns: stlFile,
  errors: ['MODEL_NOT_FOUND'],
})

/** As many models as one change takes. */
export const MAX_BULK_MODELS = 1000

/** One change for many models; what is absent stays. */
export const bulkEditBody = z.object({
  ids: z
    .array(z.uuid('This is not an id'))
    .check(
      z.minLength(1, 'Please choose at least one model.'),
      z.maxLength(MAX_BULK_MODELS, `At most ${MAX_BULK_MODELS} models at a time.`),
    ),
  /**
   * The revision of each model as it was read, by id. One that has another by now is not touched, where the change would
   * replace something or move it; tags are added and removed all the same, which takes nothing from others. A model that
   * is not named here is changed whatever it is.
   */
  revisions: z.optional(z.record(z.uuid('This is not an id'), z.int('A revision is a whole number'))),
  license_type: z.optional(z.enum(LICENSE_TYPES, 'License must be one of the licenses offered')),
  sale_allowed: z.optional(z.nullable(z.boolean('sale_allowed is true, false or null'))),
  print_material: clearableText(100, 'Print material'),
  add_tags: z.optional(tagList),
  remove_tags: z.optional(tagList),
  /** Into the bin, or out of it; with nothing else. */
  move: z.optional(z.enum(['bin', 'library'], 'move is bin or library')),
})
export type BulkEditBody = z.output<typeof bulkEditBody>

/** What became of each; those that failed did so for the reason given, and the others are done all the same. */
export const bulkResult = z.object({
  changed: z.array(z.uuid()),
  failed: z.array(z.object({ id: z.uuid(), detail: z.string() })),
})
export type BulkResult = z.output<typeof bulkResult>

/** The same for models, which may have been changed by others since they were read. */
export const bulkEditResult = z.object({
  changed: z.array(z.uuid()),
  failed: z.array(
    z.object({ id: z.uuid(), detail: z.string(), code: z.optional(z.literal('changed_meanwhile')) }),
  ),
  /** What each model that is there is at now, by id: with these `revisions` the change is made anyway. */
  revisions: z.record(z.string(), z.number()),
})
export type BulkEditResult = z.output<typeof bulkEditResult>

export const bulkEditModels = post('/api/stl-files/bulk', 'staff', {
  summary: 'One change for many models',
  body: bulkEditBody,
  returns: bulkEditResult,
})

/** The file that a model stood or stands for. Print jobs keep the one that they were made for. */
const stlVersion = z.object({
  id: z.uuid(),
  number: z.number(),
  is_current: z.boolean(),
  file_name: z.string(),
  file_size: z.number(),
  sha256: z.string(),
  format: z.enum(MODEL_FORMATS),
  triangles: z.nullable(z.number()),
  note: z.nullable(z.string()),
  uploaded_by: z.nullable(z.string()),
  created_at: timestamp,
})
export type ModelVersion = z.output<typeof stlVersion>

export const listModelVersions = get('/api/stl-files/:id/versions', 'signed-in', {
  summary: 'The versions of a model, newest first',
  returns: z.array(stlVersion),
  errors: ['MODEL_NOT_FOUND'],
})

export const addStlVersionFields = z.object({ note: optionalText(2000, 'Note') })

export const addModelVersion = post('/api/stl-files/:id/versions', 'staff', {
  summary: 'A new file for the same model',
  fileField: 'file',
  body: addStlVersionFields,
  creates: stlFile,
  errors: [...FILE_FORM_ERRORS, 'MODEL_NOT_FOUND', 'VERSION_UNCHANGED'],
})

export const makeModelVersionCurrent = post('/api/stl-versions/:id/make-current', 'staff', {
  summary: 'Let a model stand for an earlier version again',
  returns: stlFile,
  errors: ['VERSION_NOT_FOUND'],
})

export const getModelVersionBytes = get('/api/stl-versions/:id/file', 'signed-in', {
  summary: 'The file of a version, byte for byte; without the command for a slicer where it had one',
  sends: 'application/octet-stream',
  errors: ['VERSION_NOT_FOUND'],
})

const named = z.object({ id: z.uuid(), name: z.string() })

/** Where a model is used; `name` is an item's name, a product's name. */
export const stlFileUses = z.object({
  items: z.array(z.extend(named, { sku: z.string(), quantity: z.number() })),
  print_jobs: z.array(
    z.object({ id: z.uuid(), status: z.string(), quantity: z.number(), version: z.nullable(z.number()) }),
  ),
  products: z.array(z.extend(named, { slug: z.string(), status: z.string() })),
})
export type ModelUses = z.output<typeof stlFileUses>

export const getModelUses = get('/api/stl-files/:id/uses', 'signed-in', {
  summary: 'Items, print jobs and products that a model is used by',
  returns: stlFileUses,
  errors: ['MODEL_NOT_FOUND'],
})

export const listSimilarModels = get('/api/stl-files/:id/similar', 'signed-in', {
  summary: 'Models that may be the same: of the same bytes, or of the same shape',
  returns: z.array(z.object({ reason: z.enum(['same_bytes', 'same_shape']), model: stlFile })),
  errors: ['MODEL_NOT_FOUND'],
})
