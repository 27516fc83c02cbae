import * as z from 'zod/mini'
import { timestamp } from '../fields.ts'
import { declareEndpoints } from '../endpoint.ts'
import { LICENSE_TYPES } from './licenses.ts'

const { get } = declareEndpoints('stl-library')

export const TITLE_MAX_LENGTH = 200
export const DESCRIPTION_MAX_LENGTH = 10_000
export const TAG_MAX_LENGTH = 50
export const MAX_TAGS = 50

/** What a file is by its content; its name says nothing. */
export const MODEL_FORMATS = ['stl', '3mf', 'obj'] as const
export type ModelFormat = (typeof MODEL_FORMATS)[number]

/** Whether prints of a model may be sold: `unknown` where nobody has said so, which forbids publishing as well. */
export const SALE_VERDICTS = ['allowed', 'forbidden', 'unknown'] as const
export type SaleVerdict = (typeof SALE_VERDICTS)[number]

const point = z.tuple([z.number(), z.number(), z.number()])
export const boundingBox = z.object({ min: point, max: point, size: point })

/** What a file says of itself, as plain text that is shown and never believed. */
export const modelMetadata = z.object({
  title: z.nullable(z.string()),
  designer: z.nullable(z.string()),
  description: z.nullable(z.string()),
  license_terms: z.nullable(z.string()),
  application: z.nullable(z.string()),
})
export type ModelMetadata = z.output<typeof modelMetadata>

/**
 * What one print takes. From geometry: volume and surface under the assumptions named; from the slicer: its own
 * figures for the material it was set up for.
 */
export const printEstimate = z.object({
  source: z.enum(['geometry', 'slicer']),
  /** Grams of each material. */
  weights: z.array(z.object({ material: z.string(), grams: z.number() })),
  minutes: z.nullable(z.number()),
  /** What the figures stand on, in words: walls, infill, speed. */
  assumptions: z.array(z.string()),
})
export type PrintEstimate = z.output<typeof printEstimate>

/** A model as it leaves the server. Lengths are millimetres; measures are null until the analysis is done. */
export const stlFile = z.object({
  id: z.uuid(),
  title: z.string(),
  description: z.nullable(z.string()),
  tags: z.array(z.string()),
  license_type: z.enum(LICENSE_TYPES),
  file_name: z.string(),
  file_size: z.number(),
  is_product: z.boolean(),
  sha256: z.string(),
  format: z.enum(MODEL_FORMATS),
  encoding: z.nullable(z.enum(['binary', 'ascii'])),
  triangles: z.nullable(z.number()),
  bounding_box_mm: z.nullable(boundingBox),
  volume_mm3: z.nullable(z.number()),
  surface_area_mm2: z.nullable(z.number()),
  is_watertight: z.nullable(z.boolean()),
  shells: z.nullable(z.number()),
  warnings: z.array(z.object({ code: z.string(), message: z.string() })),
  analysis_status: z.enum(['pending', 'done', 'failed']),
  print_estimate: z.nullable(printEstimate),
  metadata: z.nullable(modelMetadata),
  /** The file brought a command for a slicer along; what is handed out does not have it any more. */
  has_slicer_command: z.boolean(),
  thumbnail_path: z.nullable(z.string()),
  /** The picture of its back; null until it is drawn. */
  second_thumbnail_path: z.nullable(z.string()),
  attribution_url: z.nullable(z.string()),
  /** The line that a BY licence wants beside a listing; null where none is owed. */
  attribution: z.nullable(z.string()),
  print_material: z.nullable(z.string()),
  print_notes: z.nullable(z.string()),
  /** Where the file was fetched from and when: the evidence of its licence. */
  source_url: z.nullable(z.string()),
  fetched_at: z.nullable(timestamp),
  /** What somebody has said of selling prints, and on what grounds; counts where the licence leaves it open. */
  sale_allowed: z.nullable(z.boolean()),
  sale_note: z.nullable(z.string()),
  sale_verdict: z.enum(SALE_VERDICTS),
  /** Why, in words. */
  sale_reason: z.string(),
  duplicate_of: z.nullable(z.uuid()),
  /** Fields whose text was proposed and not typed; an edit of one takes its mark away. */
  suggested_fields: z.array(z.string()),
  /** The number of the current version, from 1. */
  version: z.number(),
  uploaded_by: z.nullable(z.string()),
  created_at: timestamp,
  updated_at: timestamp,
  /** When it was put into the bin, which keeps it for 30 days; null in the library. */
  deleted_at: z.nullable(timestamp),
  /** What `If-Match` wants, in quotes. */
  revision: z.number(),
})
export type Model = z.output<typeof stlFile>

export const getModel = get('/api/stl-files/:id', 'signed-in', {
  summary: 'One model, with its ETag',
  returns: stlFile,
  errors: ['MODEL_NOT_FOUND'],
})

export const getModelBytes = get('/api/stl-files/:id/file', 'signed-in', {
  summary: 'The uploaded file, byte for byte; without the command for a slicer where it had one',
  sends: 'application/octet-stream',
  errors: ['MODEL_NOT_FOUND'],
})

export const getModelThumbnail = get('/api/stl-files/:id/thumbnail', 'signed-in', {
  summary: 'The picture of the model (WebP, transparent background); angle 2 shows its back',
  isSignable: true,
  query: z.object({
    angle: z.optional(z.enum(['1', '2'], 'angle is 1 or 2')),
    /**
     * Names the file that the picture is of, as `thumbnail_path` has it, of a former version too: the answer may then be
     * kept for a day. Without it, or where the model has no such file, the picture is that of the current version.
     */
    of: z.optional(z.string().check(z.maxLength(64, 'of is too long'))),
  }),
  sends: 'image/webp',
  errors: ['MODEL_NOT_FOUND', 'THUMBNAIL_NOT_READY'],
})

export const getModelPreview = get('/api/stl-files/:id/preview', 'signed-in', {
  summary: 'The shape in few triangles (binary STL, millimetres), for a viewer to begin with',
  sends: 'model/stl',
  errors: ['MODEL_NOT_FOUND', 'PREVIEW_NOT_READY'],
})

export const getModelTurntable = get('/api/stl-files/:id/turntable', 'signed-in', {
  summary:
    'The model from all sides: an animated WebP, drawn on the first request; 404 for an hour where it cannot be',
  sends: 'image/webp',
  accepted: z.object({ status: z.literal('drawing') }),
  errors: ['MODEL_NOT_FOUND', 'THUMBNAIL_NOT_READY', 'TURNTABLE_FAILED'],
})
