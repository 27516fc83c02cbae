import * as z from 'zod/mini'
import { declareEndpoints } from '../endpoint.ts'
import { DEFAULT_LICENSE_TYPE, LICENSE_TYPES } from './licenses.ts'
import { DESCRIPTION_MAX_LENGTH, MAX_TAGS, stlFile, TAG_MAX_LENGTH, TITLE_MAX_LENGTH } from './models.ts'
import { stlImport } from './imports.ts'

const { post } = declareEndpoints('stl-library')

/** The database knows no zero character. */
const isStorable = (text: string): boolean => !text.includes('\0')

const text = (maxLength: number, name: string) =>
  z
    .string()
    .check(
      z.trim(),
      z.maxLength(maxLength, `${name} has at most ${maxLength} characters`),
      z.refine(isStorable, `${name} holds a character that no text has`),
    )

/** A text of a form; left out, empty and blank ones are null. */
export const optionalText = (maxLength: number, name: string) =>
  z.pipe(
    z.optional(text(maxLength, name)),
    z.transform((value) => value || null),
  )

/** A text of an edit: null and an empty one clear it, left out it stays as it is. */
export const clearableText = (maxLength: number, name: string) =>
  z.optional(
    z.nullable(
      z.pipe(
        text(maxLength, name),
        z.transform((value) => value || null),
      ),
    ),
  )

const addressText = (name: string) => z.string().check(z.trim(), z.maxLength(2000, `${name} is too long`))

const readAddress = (
  value: string | undefined,
  name: string,
  context: { issues: { push(issue: { code: 'custom'; message: string; input: unknown }): unknown } },
): string | null => {
  if (!value) return null
  if (/^https?:\/\//i.test(value) && URL.canParse(value) && isStorable(value)) return value
  context.issues.push({
    code: 'custom',
    message: `${name} must be a web address (http or https)`,
    input: value,
  })
  return z.NEVER
}

/** An address of the web in a form; left out and empty ones are null. */
const optionalAddress = (name: string) =>
  z.pipe(
    z.optional(addressText(name)),
    z.transform((value, context) => readAddress(value, name, context)),
  )

/** An address of the web in an edit: null and an empty one clear it, left out it stays as it is. */
export const clearableAddress = (name: string) =>
  z.optional(
    z.nullable(
      z.pipe(
        addressText(name),
        z.transform((value, context) => readAddress(value, name, context)),
      ),
    ),
  )

/** Tags are the same whatever their case and spacing, and each stands once, in the order given. */
export const normalizeTags = (tags: readonly string[]): string[] => [
  ...new Set(tags.map((tag) => tag.trim().replace(/\s+/g, ' ').toLowerCase()).filter((tag) => tag !== '')),
]

/** Tags as a list of words, normalized. */
export const tagList = z.pipe(
  z.array(z.string('Tags must be a list of words'), 'Tags must be a list of words'),
  z.transform((words, context): string[] => {
    const fail = (message: string) => {
      context.issues.push({ code: 'custom', message, input: words })
      return []
    }
    const tags = normalizeTags(words)
    if (tags.length > MAX_TAGS) return fail(`A model has at most ${MAX_TAGS} tags`)
    if (!tags.every(isStorable)) return fail('Tags hold a character that no text has')
    if (tags.some((tag) => tag.length > TAG_MAX_LENGTH))
      return fail(`A tag has at most ${TAG_MAX_LENGTH} characters`)
    return tags
  }),
)

const NOT_JSON = 'Tags must be a JSON list of words'

/** Tags as the upload form carries them: JSON text. */
const tagsAsJson = z.pipe(
  z.pipe(
    z.optional(z.string()),
    z.transform((text, context): string[] => {
      if (!text?.trim()) return []
      try {
        const value: unknown = JSON.parse(text)
        if (Array.isArray(value) && value.every((tag) => typeof tag === 'string')) return value
      } catch {
        // Told below, as what is JSON and no list is.
      }
      context.issues.push({ code: 'custom', message: NOT_JSON, input: text })
      return z.NEVER
    }),
  ),
  tagList,
)

/** The text fields of the upload form. The file itself streams beside them, in any order. */
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

/** What may be wrong with a form that carries a model's file. */
export const FILE_FORM_ERRORS = [
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'MODEL_FILE_MISSING',
  'MODEL_REJECTED',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'INVALID_INPUT',
  'MALFORMED_REQUEST',
  'IDEMPOTENCY_KEY_REUSED',
  'STORAGE_FULL',
] as const

export const uploadModel = post('/api/stl-files/upload', 'staff', {
  summary:
    'Add a model: the file streams in, is checked on the way, and is measured afterwards; an address or an archive becomes an import',
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
