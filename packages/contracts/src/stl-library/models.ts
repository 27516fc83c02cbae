import * as z from 'zod/mini'
import { isStorable, nullable, trashableTimes } from '../fields.ts'
import { declareEndpoints } from '../endpoint.ts'
import { LICENSE_TYPES } from './licenses.ts'

const { get } = declareEndpoints('stl-library', { notFound: 'MODEL_NOT_FOUND' })

export const TITLE_MAX_LENGTH = 200
export const DESCRIPTION_MAX_LENGTH = 10_000
export const TAG_MAX_LENGTH = 50
export const MAX_TAGS = 50

/** Converts tags to lower case with single spaces and removes duplicates. The order stays the same. */
export const normalizeTags = (tags: readonly string[]): string[] => [
  ...new Set(tags.map((tag) => tag.trim().replace(/\s+/g, ' ').toLowerCase()).filter((tag) => tag !== '')),
]

/** A list of tags, which is normalized. */
export const tagList = z.pipe(
  z.array(z.string('Tags must be a list of words'), 'Tags must be a list of words'),
  z.transform((words, context): string[] => {
    const fail = (message: string) => {
      context.issues.push({ code: 'custom', message, input: words })
      return []
    }
    const tags = normalizeTags(words)
    if (tags.length > MAX_TAGS) return fail(`A model can have at most ${MAX_TAGS} tags`)
    if (!tags.every(isStorable)) return fail('Tags contain an invalid character')
    if (tags.some((tag) => tag.length > TAG_MAX_LENGTH))
      return fail(`A tag can have at most ${TAG_MAX_LENGTH} characters`)
    return tags
  }),
)

/** Formats of model files. The format is detected from the content, never from the name. */
export const MODEL_FORMATS = ['stl', '3mf', 'obj'] as const
export type ModelFormat = (typeof MODEL_FORMATS)[number]

/** Whether prints of a model may be sold. `unknown` also forbids publishing. */
export const SALE_VERDICTS = ['allowed', 'forbidden', 'unknown'] as const
export type SaleVerdict = (typeof SALE_VERDICTS)[number]

const point = z.tuple([z.number(), z.number(), z.number()])
export const boundingBox = z.object({ min: point, max: point, size: point })

/** Metadata in a model file. It is shown as plain text and never trusted. */
const modelMetadata = z.object({
  title: nullable.text,
  designer: nullable.text,
  description: nullable.text,
  license_terms: nullable.text,
  application: nullable.text,
})
export type ModelMetadata = z.output<typeof modelMetadata>

/**
 * Material and time of one print. `geometry` means an estimate from volume and surface with the listed
 * assumptions. `slicer` means the slicer's own figures for its material.
 */
const printEstimate = z.object({
  source: z.enum(['geometry', 'slicer']),
  /** The weight in grams for each material. */
  weights: z.array(z.object({ material: z.string(), grams: z.number() })),
  minutes: nullable.number,
  /** Assumptions behind the figures as text, such as walls, infill and speed. */
  assumptions: z.array(z.string()),
})
export type PrintEstimate = z.output<typeof printEstimate>

/** One piece of a sliced file of the current version. These figures take precedence over the print estimate. */
const slicedPiece = z.object({
  slice_id: z.uuid(),
  file_name: z.string(),
  /** The material of the first tool. */
  material: nullable.text,
  /**
   * `grams` is the weight of the plate's filament, including waste, divided by its pieces. `minutes` is its print time,
   * divided in the same way.
   */
  grams: z.number(),
  minutes: z.number(),
  /** Number of pieces that one print produces. */
  pieces: z.number(),
  /** Number of plates of one print: all plates of the file if one piece needs them, otherwise 1. */
  plates: z.number(),
})
export type SlicedPiece = z.output<typeof slicedPiece>

/** A model. Lengths are in millimeters. Measurements are null until the analysis is done. */
export const stlFile = z.object({
  id: z.uuid(),
  title: z.string(),
  description: nullable.text,
  tags: z.array(z.string()),
  license_type: z.enum(LICENSE_TYPES),
  file_name: z.string(),
  file_size: z.number(),
  is_product: z.boolean(),
  sha256: z.string(),
  format: z.enum(MODEL_FORMATS),
  encoding: z.nullable(z.enum(['binary', 'ascii'])),
  triangles: nullable.number,
  bounding_box_mm: z.nullable(boundingBox),
  volume_mm3: nullable.number,
  surface_area_mm2: nullable.number,
  is_watertight: z.nullable(z.boolean()),
  shells: nullable.number,
  warnings: z.array(z.object({ code: z.string(), message: z.string() })),
  analysis_status: z.enum(['pending', 'done', 'failed']),
  print_estimate: z.nullable(printEstimate),
  /** One piece of the newest sliced file that states its weight and time. Null if there is none. */
  sliced_piece: z.nullable(slicedPiece),
  metadata: z.nullable(modelMetadata),
  /** Whether the uploaded file contained a slicer command. Downloads never contain it. */
  has_slicer_command: z.boolean(),
  thumbnail_path: nullable.text,
  /** Picture of the back. Null until it is drawn. */
  second_thumbnail_path: nullable.text,
  attribution_url: nullable.text,
  /** The credit that a BY license requires next to a product that is sold. Null if no credit is required. */
  attribution: nullable.text,
  print_material: nullable.text,
  print_notes: nullable.text,
  /** The address from which the file was downloaded. It is evidence for the license. */
  source_url: nullable.text,
  /** The time of the download. It is evidence for the license. */
  fetched_at: nullable.timestamp,
  /** Whether a person allowed selling prints. This matters only if the license leaves the question open. */
  sale_allowed: z.nullable(z.boolean()),
  /** The person's reason for allowing or forbidding it. */
  sale_note: nullable.text,
  sale_verdict: z.enum(SALE_VERDICTS),
  /** The reason for the verdict, as a readable message. */
  sale_reason: z.string(),
  duplicate_of: nullable.id,
  /**
   * Fields that contain a suggestion of the server instead of text by a person. Editing a field removes it from this
   * list.
   */
  suggested_fields: z.array(z.string()),
  /** Number of the current version, counted from 1. */
  version: z.number(),
  uploaded_by: nullable.text,
  ...trashableTimes,
  /** Clients send it in quotes as `If-Match` when they change the model. */
  revision: z.number(),
})
export type Model = z.output<typeof stlFile>

/** A model in a list, without the fields that only its own page shows. */
export const listedModel = z.omit(stlFile, {
  encoding: true,
  metadata: true,
  print_estimate: true,
  sliced_piece: true,
  has_slicer_command: true,
  attribution: true,
  sale_verdict: true,
  sale_reason: true,
  fetched_at: true,
})
export type ListedModel = z.output<typeof listedModel>

export const getModel = get('/api/stl-files/:id', 'signed-in', {
  summary: 'One model, with its ETag',
  returns: stlFile,
})

export const getModelBytes = get('/api/stl-files/:id/file', 'signed-in', {
  summary: 'The uploaded file, byte for byte, but without slicer commands',
  sends: 'application/octet-stream',
})

export const getModelThumbnail = get('/api/stl-files/:id/thumbnail', 'signed-in', {
  summary: 'Picture of the model (WebP, transparent background); angle 2 shows its back',
  isSignable: true,
  query: z.object({
    angle: z.optional(z.enum(['1', '2'], 'angle must be 1 or 2')),
    /**
     * Identifies the picture file, as in `thumbnail_path`. The file may belong to an earlier version of the model. With
     * `of`, caches may keep the picture for a day. Without `of`, or if the model has no such file, the response is the
     * picture of the current version.
     */
    of: z.optional(z.string().check(z.maxLength(64, 'of is too long'))),
  }),
  sends: 'image/webp',
  errors: ['THUMBNAIL_NOT_READY'],
})

export const getModelPreview = get('/api/stl-files/:id/preview', 'signed-in', {
  summary: 'A simplified mesh (binary STL, millimeters) for a quick first view',
  sends: 'model/stl',
  errors: ['PREVIEW_NOT_READY'],
})

export const getModelTurntable = get('/api/stl-files/:id/turntable', 'signed-in', {
  summary:
    'The model from all sides as an animated WebP, drawn on the first request; 404 for an hour after a failure',
  sends: 'image/webp',
  accepted: z.object({ status: z.literal('drawing') }),
  errors: ['THUMBNAIL_NOT_READY', 'TURNTABLE_FAILED'],
})
