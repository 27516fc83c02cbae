import * as z from 'zod/mini'
import { declareEndpoints } from '../endpoint.ts'
import {
  actor,
  clearableText,
  deletedOnly,
  nullable,
  positiveNumber,
  revisedTimes,
  wholeNumber,
} from '../fields.ts'

/**
 * Sliced files of models, which are the files that printers print. People call these endpoints, and agents
 * call them with their keys.
 */
const { get, post, put, del } = declareEndpoints('slices', { notFound: 'SLICE_NOT_FOUND' })
const ofModel = declareEndpoints('slices', { notFound: 'MODEL_NOT_FOUND' })

const READ = { scope: 'print-jobs', owner: 'viewer', people: 'signed-in' } as const
const WRITE = { scope: 'print-jobs', owner: 'staff', people: 'staff' } as const

/** Formats of sliced files. The format is detected from the content, never from the name. */
export const SLICE_FORMATS = ['gcode', 'bgcode', 'gcode.3mf'] as const
export type SliceFormat = (typeof SLICE_FORMATS)[number]

/** Maximum number of files in one form. */
export const MAX_SLICE_FILES = 20
export const MAX_SLICE_PIECES = 10_000
const MODEL_MAX_LENGTH = 100

/** The filament that one tool of the printer uses for a plate. */
export const sliceTool = z.object({
  /** Number of the tool, counted from 0 as in G-code. */
  tool: z.number(),
  material: nullable.text,
  /** The color as `#rrggbb`. */
  color_hex: nullable.text,
  grams: nullable.number,
  metres: nullable.number,
})

/** One plate of a sliced file. Lengths are in millimeters. Values that the file does not contain are null. */
export const slice = z.object({
  id: z.uuid(),
  stl_file_id: z.uuid(),
  /** Number of the model's version from which the slice was made. */
  stl_version: z.number(),
  file_name: z.string(),
  file_size: z.number(),
  sha256: z.string(),
  format: z.enum(SLICE_FORMATS),
  /**
   * Number of the plate in the file, counted from 1. A file with several plates becomes several slices, which
   * share its bytes.
   */
  plate: z.number(),
  /** Number of plates in the file, without those in the trash. */
  plates: z.number(),
  /**
   * Whether one piece needs all plates of the file. False means that each plate is a print of its own. Null if nobody
   * has decided it; then a job prints one plate. All slices of the file have the same value.
   */
  needs_all_plates: z.nullable(z.boolean()),
  printer_model: nullable.text,
  nozzle_mm: nullable.number,
  /** Width, depth and height. The height is null if the file does not contain it. */
  bed_mm: z.nullable(z.tuple([z.number(), z.number(), nullable.number])),
  layer_height_mm: nullable.number,
  layers: nullable.number,
  /** The material of the first tool. */
  material: nullable.text,
  tools: z.array(sliceTool),
  /** Weight of the filament that all tools use for one print of the plate. */
  grams: nullable.number,
  metres: nullable.number,
  minutes: nullable.number,
  /**
   * Number of pieces of the model that one print of the plate produces. If a piece needs all plates of the file, the
   * number of pieces that all plates produce together.
   */
  pieces: z.number(),
  slicer: nullable.text,
  /** Messages about values that were missing in the file or were assumed. */
  notes: z.array(z.string()),
  /** Whether another version of the model has become the current one since the slice was made. */
  is_outdated: z.boolean(),
  /** The picture that the slicer embedded, as a signed path. */
  thumbnail_path: nullable.text,
  uploaded_by: actor,
  ...revisedTimes,
})
export type Slice = z.output<typeof slice>

const sliceParams = z.object({ id: z.uuid(), slice_id: z.uuid() })

export const listSlices = ofModel.list('/api/stl-files/:id/slices', READ, {
  summary: 'The sliced files of a model, newest first; deleted=true lists the trash',
  filter: { deleted: deletedOnly },
  of: slice,
})

/** A whole number in a text field of a form. */
const formNumber = (name: string, most: number) =>
  z.optional(
    z.coerce
      .number(`${name} must be a whole number from 1 to ${most}`)
      .check(
        z.int(`${name} must be a whole number from 1 to ${most}`),
        z.gte(1, `${name} must be a whole number from 1 to ${most}`),
        z.lte(most, `${name} must be a whole number from 1 to ${most}`),
      ),
  )

export const uploadSliceFields = z.object({
  /**
   * Number of pieces on each plate. The default is the number in the file, otherwise the pieces per print of the
   * model's items, otherwise 1. If a piece needs all plates, the number of pieces that all plates produce together,
   * with 1 as the default.
   */
  pieces: formNumber('pieces', MAX_SLICE_PIECES),
  /** Number of the model's version from which the file was made. The default is the current version. */
  stl_version: formNumber('stl_version', 1_000_000),
  /** Whether one piece needs all plates of a file. Has no effect on files with one plate. */
  needs_all_plates: z.optional(z.stringbool({ error: 'needs_all_plates must be true or false' })),
})
export type UploadSliceFields = z.output<typeof uploadSliceFields>

/**
 * The fields that a program with an API key can send. Other fields are an error here, but not in the form of a person.
 */
export const uploadSliceFieldsOfKey = z.strictObject(
  uploadSliceFields.shape,
  'A form with sliced files can only have the fields file, pieces, stl_version and needs_all_plates.',
)

/** The first slice that an upload made, and all slices: one for each plate of each file. */
export const uploadedSlice = z.extend(slice, { slices: z.array(slice) })
export type UploadedSlice = z.output<typeof uploadedSlice>

export const uploadSlice = ofModel.post('/api/stl-files/:id/slices', WRITE, {
  summary: `Add sliced files to a model, up to ${MAX_SLICE_FILES} parts named file; 200 if all of them were already stored. Unknown fields of an API key are refused`,
  fileField: 'file',
  body: uploadSliceFields,
  creates: uploadedSlice,
  alternative: 200,
  errors: [
    'VERSION_NOT_FOUND',
    'SLICE_FILE_MISSING',
    'SLICE_REJECTED',
    'PAYLOAD_TOO_LARGE',
    'UNSUPPORTED_MEDIA_TYPE',
    'MALFORMED_REQUEST',
    'IDEMPOTENCY_KEY_REUSED',
    'STORAGE_FULL',
    'MALWARE_FOUND',
    'SCANNER_SIZE_LIMIT',
    'SCANNER_UNAVAILABLE',
  ],
})

/** Fields that a person can correct. Missing fields stay unchanged. */
export const updateSliceBody = z.object({
  pieces: z.optional(wholeNumber('pieces', 1, MAX_SLICE_PIECES)),
  printer_model: clearableText(MODEL_MAX_LENGTH, 'printer_model'),
  /** The material of the first tool. */
  material: clearableText(MODEL_MAX_LENGTH, 'material'),
  nozzle_mm: z.optional(z.nullable(positiveNumber('nozzle_mm', 10, ' mm'))),
  /**
   * Applies to all slices of the file. While it is true, `pieces` also applies to all of them. Refused for a file with
   * one plate.
   */
  needs_all_plates: z.optional(z.nullable(z.boolean('needs_all_plates must be true, false or null'))),
})
export type UpdateSliceBody = z.output<typeof updateSliceBody>

export const updateSlice = put('/api/stl-files/:id/slices/:slice_id', 'staff', {
  summary:
    'Correct the pieces, printer, nozzle and material of a slice, and whether one piece needs all plates of its file',
  params: sliceParams,
  body: updateSliceBody,
  returns: slice,
  errors: ['PRECONDITION_FAILED', 'PRECONDITION_REQUIRED'],
})

export const deleteSlice = del('/api/stl-files/:id/slices/:slice_id', WRITE, {
  summary:
    'Move a slice to the trash, which keeps it for 30 days; if one piece needs all plates, with the other slices of the file',
  params: sliceParams,
  current: slice,
  errors: ['PRECONDITION_FAILED'],
})

export const restoreSlice = post('/api/stl-files/:id/slices/:slice_id/restore', 'staff', {
  summary: 'Restore a slice from the trash',
  params: sliceParams,
  returns: slice,
  errors: ['SLICE_EXISTS'],
})

export const getSliceBytes = get('/api/stl-files/:id/slices/:slice_id/file', READ, {
  summary: 'The sliced file, byte for byte',
  params: sliceParams,
  sends: 'application/octet-stream',
})

export const getSliceThumbnail = get('/api/stl-files/:id/slices/:slice_id/thumbnail', 'signed-in', {
  summary: 'The picture that the slicer embedded (WebP)',
  isSignable: true,
  params: sliceParams,
  sends: 'image/webp',
  errors: ['THUMBNAIL_NOT_READY'],
})
