import * as z from 'zod/mini'
import { idParams, pageQuery, queryText, searchText, timestamp } from './common.ts'
import { defineEndpoint } from './endpoint.ts'
import { DEFAULT_LICENSE_TYPE, LICENSE_TYPES } from './licenses.ts'

export const TITLE_MAX_LENGTH = 200
export const DESCRIPTION_MAX_LENGTH = 10_000
export const TAG_MAX_LENGTH = 50
export const MAX_TAGS = 50

const point = z.tuple([z.number(), z.number(), z.number()])

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
  format: z.enum(['stl', '3mf', 'obj']),
  encoding: z.nullable(z.enum(['binary', 'ascii'])),
  triangles: z.nullable(z.number()),
  bounding_box_mm: z.nullable(z.object({ min: point, max: point, size: point })),
  volume_mm3: z.nullable(z.number()),
  surface_area_mm2: z.nullable(z.number()),
  is_watertight: z.nullable(z.boolean()),
  shells: z.nullable(z.number()),
  warnings: z.array(z.object({ code: z.string(), message: z.string() })),
  analysis_status: z.enum(['pending', 'done', 'failed']),
  thumbnail_path: z.nullable(z.string()),
  attribution_url: z.nullable(z.string()),
  print_material: z.nullable(z.string()),
  print_notes: z.nullable(z.string()),
  source_url: z.nullable(z.string()),
  sale_allowed: z.nullable(z.boolean()),
  duplicate_of: z.nullable(z.uuid()),
  suggested_fields: z.array(z.string()),
  uploaded_by: z.nullable(z.string()),
  created_at: timestamp,
  updated_at: timestamp,
})
export type StlFile = z.output<typeof stlFile>

export const listStlFiles = defineEndpoint({
  method: 'GET',
  path: '/api/stl-files',
  summary: 'Models, newest first',
  tag: 'stl-library',
  access: 'signed-in',
  query: z.object({
    ...pageQuery,
    search: searchText,
    tags: queryText('tags', 1000),
    license_type: z.optional(z.enum(LICENSE_TYPES, 'License must be one of the licenses offered')),
  }),
  success: { status: 200, body: z.array(stlFile) },
  errors: ['UNAUTHENTICATED', 'INVALID_INPUT'],
})

export const getStlFile = defineEndpoint({
  method: 'GET',
  path: '/api/stl-files/:id',
  summary: 'One model',
  tag: 'stl-library',
  access: 'signed-in',
  params: idParams,
  success: { status: 200, body: stlFile },
  errors: ['UNAUTHENTICATED', 'MODEL_NOT_FOUND'],
})

export const getStlFileBytes = defineEndpoint({
  method: 'GET',
  path: '/api/stl-files/:id/file',
  summary: 'The uploaded file, byte for byte',
  tag: 'stl-library',
  access: 'signed-in',
  params: idParams,
  success: { status: 200, body: null, contentType: 'model/stl' },
  errors: ['UNAUTHENTICATED', 'MODEL_NOT_FOUND'],
})

export const getStlFileThumbnail = defineEndpoint({
  method: 'GET',
  path: '/api/stl-files/:id/thumbnail',
  summary: 'The rendered picture (WebP, transparent background)',
  tag: 'stl-library',
  access: 'signed-in',
  isSignable: true,
  params: idParams,
  success: { status: 200, body: null, contentType: 'image/webp' },
  errors: ['UNAUTHENTICATED', 'MODEL_NOT_FOUND', 'THUMBNAIL_NOT_READY'],
})

/** The database knows no zero character. */
const isStorable = (text: string): boolean => !text.includes('\0')

const optionalText = (maxLength: number, name: string) =>
  z.pipe(
    z.optional(
      z
        .string()
        .check(
          z.trim(),
          z.maxLength(maxLength, `${name} has at most ${maxLength} characters`),
          z.refine(isStorable, `${name} holds a character that no text has`),
        ),
    ),
    z.transform((text) => text || null),
  )

const webAddress = (name: string) =>
  z.pipe(
    z.optional(z.string().check(z.trim(), z.maxLength(2000, `${name} is too long`))),
    z.transform((text, context) => {
      if (!text) return null
      if (/^https?:\/\//i.test(text) && URL.canParse(text) && isStorable(text)) return text
      context.issues.push({
        code: 'custom',
        message: `${name} must be a web address (http or https)`,
        input: text,
      })
      return z.NEVER
    }),
  )

/** Tags are the same whatever their case and spacing, and each stands once, in the order given. */
export const normalizeTags = (tags: readonly string[]): string[] => [
  ...new Set(tags.map((tag) => tag.trim().replace(/\s+/g, ' ').toLowerCase()).filter((tag) => tag !== '')),
]

const tagsAsJson = z.pipe(
  z.optional(z.string()),
  z.transform((text, context): string[] => {
    const fail = (message: string) => {
      context.issues.push({ code: 'custom', message, input: text })
      return []
    }
    if (!text?.trim()) return []
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      return fail('Tags must be a JSON list of words')
    }
    if (!Array.isArray(value) || !value.every((tag) => typeof tag === 'string'))
      return fail('Tags must be a JSON list of words')
    const tags = normalizeTags(value)
    if (tags.length > MAX_TAGS) return fail(`A model has at most ${MAX_TAGS} tags`)
    if (!tags.every(isStorable)) return fail('Tags hold a character that no text has')
    if (tags.some((tag) => tag.length > TAG_MAX_LENGTH))
      return fail(`A tag has at most ${TAG_MAX_LENGTH} characters`)
    return tags
  }),
)

/** The text fields of the upload form. The file itself streams beside them, in any order. */
export const uploadStlFileFields = z.object({
  upload_method: z._default(z.enum(['file', 'url'], 'upload_method must be file or url'), 'file'),
  url: webAddress('URL'),
  title: optionalText(TITLE_MAX_LENGTH, 'Title'),
  description: optionalText(DESCRIPTION_MAX_LENGTH, 'Description'),
  license_type: z._default(
    z.enum(LICENSE_TYPES, 'License must be one of the licenses offered'),
    DEFAULT_LICENSE_TYPE,
  ),
  attribution_url: webAddress('Attribution URL'),
  tags: tagsAsJson,
  print_material: optionalText(100, 'Print material'),
  print_notes: optionalText(DESCRIPTION_MAX_LENGTH, 'Print notes'),
  use_ai: z._default(z.stringbool({ error: 'use_ai must be true or false' }), true),
})
export type UploadStlFileFields = z.output<typeof uploadStlFileFields>

export const uploadStlFile = defineEndpoint({
  method: 'POST',
  path: '/api/stl-files/upload',
  summary: 'Add a model: the file streams in, is checked on the way, and is measured afterwards',
  tag: 'stl-library',
  access: 'staff',
  fileField: 'file',
  body: uploadStlFileFields,
  success: { status: 201, body: stlFile },
  errors: [
    'UNAUTHENTICATED',
    'FORBIDDEN',
    'MODEL_FILE_MISSING',
    'MODEL_REJECTED',
    'MODEL_URL_MISSING',
    'MODEL_URL_UNSUPPORTED',
    'PAYLOAD_TOO_LARGE',
    'UNSUPPORTED_MEDIA_TYPE',
    'INVALID_INPUT',
    'MALFORMED_REQUEST',
    'IDEMPOTENCY_KEY_REUSED',
    'STORAGE_FULL',
  ],
})
