import * as z from 'zod/mini'
import { optionalAddress, optionalText } from '../fields.ts'
import { declareEndpoints } from '../endpoint.ts'
import { DEFAULT_LICENSE_TYPE, LICENSE_TYPES } from './licenses.ts'
import { DESCRIPTION_MAX_LENGTH, stlFile, TITLE_MAX_LENGTH, tagList } from './models.ts'
import { stlImport } from './imports.ts'

const { post } = declareEndpoints('stl-library')

const NOT_JSON = 'Tags must be a JSON list of words'

/** The tags of the upload form, as JSON text. */
const tagsAsJson = z.pipe(
  z.pipe(
    z.optional(z.string()),
    z.transform((text, context): string[] => {
      if (!text?.trim()) return []
      try {
        const value: unknown = JSON.parse(text)
        if (Array.isArray(value) && value.every((tag) => typeof tag === 'string')) return value
      } catch {
        // The check below reports the error, together with JSON that is not a list.
      }
      context.issues.push({ code: 'custom', message: NOT_JSON, input: text })
      return z.NEVER
    }),
  ),
  tagList,
)

/** Text fields of the upload form. They may come before or after the file, which is streamed. */
export const uploadModelFields = z.object({
  upload_method: z._default(z.enum(['file', 'url'], 'upload_method must be file or url'), 'file'),
  url: optionalAddress('URL'),
  title: optionalText(TITLE_MAX_LENGTH, 'Title'),
  description: optionalText(DESCRIPTION_MAX_LENGTH, 'Description'),
  license_type: z._default(
    z.enum(LICENSE_TYPES, 'License must be one of the licenses offered'),
    DEFAULT_LICENSE_TYPE,
  ),
  attribution_url: optionalAddress('Attribution URL'),
  tags: tagsAsJson,
  print_material: optionalText(100, 'Print material'),
  print_notes: optionalText(DESCRIPTION_MAX_LENGTH, 'Print notes'),
  use_ai: z._default(z.stringbool({ error: 'use_ai must be true or false' }), true),
})
export type UploadModelFields = z.output<typeof uploadModelFields>

/** Errors of a form that contains a model's file. */
export const FILE_FORM_ERRORS = [
  'MODEL_FILE_MISSING',
  'MODEL_REJECTED',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'MALFORMED_REQUEST',
  'IDEMPOTENCY_KEY_REUSED',
  'STORAGE_FULL',
  'MALWARE_FOUND',
  'SCANNER_SIZE_LIMIT',
  'SCANNER_UNAVAILABLE',
] as const

export const uploadModel = post('/api/stl-files/upload', 'staff', {
  summary:
    'Add a model from a file, an address or an archive; the last two start an import, and models are measured later',
  fileField: 'file',
  body: uploadModelFields,
  creates: stlFile,
  accepted: stlImport,
  errors: [
    ...FILE_FORM_ERRORS,
    'MODEL_URL_MISSING',
    'MODEL_URL_REFUSED',
    'ARCHIVE_REJECTED',
    'TOO_MANY_IMPORTS',
  ],
})
