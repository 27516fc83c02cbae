import * as z from 'zod/mini'
import { defineEndpoint } from '../endpoint.ts'
import { PICTURE_FORMATS } from './media-files.ts'

/** The hosted service's storage protocol, as its official client speaks it. Paths are below `/storage/v1`. */

/** `*` is the path of the object within its bucket. */
export const objectParams = z.object({ bucket: z.string(), '*': z.string() })

/** What an upload answers; `Key` is bucket and path. */
const storedObject = z.object({ Id: z.uuid(), Key: z.string() })

/** What is said where a path leads to no file. */
export const NOT_FOUND_ERRORS = ['BUCKET_NOT_FOUND', 'OBJECT_NOT_FOUND', 'OBJECT_KEY_INVALID'] as const

/** What is said of a file that cannot be stored. */
export const UPLOAD_ERRORS = [
  'BUCKET_NOT_FOUND',
  'OBJECT_EXISTS',
  'OBJECT_KEY_INVALID',
  'MEDIA_TYPE_REFUSED',
  'MEDIA_REJECTED',
  'PAYLOAD_TOO_LARGE',
  'MALFORMED_REQUEST',
  'STORAGE_FULL',
] as const

const upload = {
  tag: 'media',
  path: '/storage/v1/object/:bucket/*',
  access: 'staff',
  dialect: 'hosted-storage',
  params: objectParams,
  isRawBody: true,
  success: { status: 200, body: storedObject },
  errors: ['UNAUTHENTICATED', 'FORBIDDEN', ...UPLOAD_ERRORS],
} as const

/**
 * A multipart form whose file part may have an empty name, with `cacheControl` and `metadata` as text fields, or the
 * bytes themselves with `cache-control` as a header. With `x-upsert: true` it replaces what is there.
 */
export const storageUpload = defineEndpoint({ ...upload, method: 'POST', summary: 'Store a media file' })

/** Always replaces, and stores what is not there. */
export const storageUpdate = defineEndpoint({ ...upload, method: 'PUT', summary: 'Replace a media file' })

/** `download` makes it an attachment, of that name where it has one. */
export const downloadQuery = z.object({ download: z.optional(z.string()) })

const read = {
  method: 'GET',
  tag: 'media',
  dialect: 'hosted-storage',
  params: objectParams,
  query: downloadQuery,
  success: { status: 200, body: null, contentType: 'application/octet-stream' },
} as const

export const storageReadPublic = defineEndpoint({
  ...read,
  path: '/storage/v1/object/public/:bucket/*',
  summary: 'A file of a public bucket, whole or in ranges',
  access: 'public',
  errors: [...NOT_FOUND_ERRORS, 'RANGE_NOT_SATISFIABLE'],
})

export const storageRead = defineEndpoint({
  ...read,
  path: '/storage/v1/object/authenticated/:bucket/*',
  aliases: ['/storage/v1/object/:bucket/*'],
  summary: 'A file of any bucket',
  access: 'signed-in',
  errors: ['UNAUTHENTICATED', ...NOT_FOUND_ERRORS, 'RANGE_NOT_SATISFIABLE'],
})

const pixels = (name: string) =>
  z.optional(
    z.coerce.number().check(z.int(`${name} must be a whole number`), z.gte(1, `${name} must be at least 1`)),
  )

/** How a picture is wanted: no wider than `width`; any height follows from that. */
export const pictureSize = z.object({
  width: pixels('width'),
  height: pixels('height'),
  quality: pixels('quality'),
  resize: z.optional(z.enum(['cover', 'contain', 'fill'], 'resize must be cover, contain or fill')),
  /** `origin` is the picture's own. */
  format: z.optional(z.enum([...PICTURE_FORMATS, 'origin'], 'format must be avif, webp, jpeg or origin')),
})

export type PictureSize = z.output<typeof pictureSize>

/**
 * A picture no wider than asked, in one of a few sizes, drawn on the first request and kept. Without a format it comes
 * in the best that the caller accepts.
 */
export const storageRenderPublic = defineEndpoint({
  method: 'GET',
  path: '/storage/v1/render/image/public/:bucket/*',
  summary: 'A picture of a public bucket in another size or format',
  tag: 'media',
  access: 'public',
  dialect: 'hosted-storage',
  params: objectParams,
  query: pictureSize,
  success: { status: 200, body: null, contentType: 'image/webp' },
  errors: [...NOT_FOUND_ERRORS, 'INVALID_INPUT', 'MEDIA_TYPE_REFUSED', 'UNAVAILABLE'],
})

const objectInfo = z.object({
  id: z.uuid(),
  name: z.string(),
  version: z.uuid(),
  bucket_id: z.string(),
  size: z.number(),
  content_type: z.string(),
  cache_control: z.string(),
  etag: z.string(),
  metadata: z.nullable(z.record(z.string(), z.unknown())),
  last_modified: z.string(),
  created_at: z.string(),
})

const info = {
  method: 'GET',
  tag: 'media',
  dialect: 'hosted-storage',
  params: objectParams,
  success: { status: 200, body: objectInfo },
} as const

/** What the client asks to learn whether a file is there. */
export const storageInfo = defineEndpoint({
  ...info,
  path: '/storage/v1/object/info/:bucket/*',
  aliases: ['/storage/v1/object/info/authenticated/:bucket/*'],
  summary: 'What is known of a file',
  access: 'signed-in',
  errors: ['UNAUTHENTICATED', ...NOT_FOUND_ERRORS],
})

export const storageInfoPublic = defineEndpoint({
  ...info,
  path: '/storage/v1/object/info/public/:bucket/*',
  summary: 'What is known of a file of a public bucket',
  access: 'public',
  errors: NOT_FOUND_ERRORS,
})

/** What lists tell of a file's bytes. */
export const listedMetadata = z.object({
  eTag: z.string(),
  size: z.number(),
  mimetype: z.string(),
  cacheControl: z.string(),
  lastModified: z.string(),
  contentLength: z.number(),
  httpStatusCode: z.number(),
})

const listedObject = z.object({
  /** Below the prefix. A folder has nothing but its name. */
  name: z.string(),
  id: z.nullable(z.uuid()),
  updated_at: z.nullable(z.string()),
  created_at: z.nullable(z.string()),
  last_accessed_at: z.nullable(z.string()),
  metadata: z.nullable(listedMetadata),
})

const MAX_LISTED = 1000

export const storageList = defineEndpoint({
  method: 'POST',
  path: '/storage/v1/object/list/:bucket',
  summary: 'The files and folders of a folder',
  tag: 'media',
  access: 'signed-in',
  dialect: 'hosted-storage',
  params: z.object({ bucket: z.string() }),
  body: z.object({
    prefix: z._default(z.string().check(z.maxLength(1000)), ''),
    limit: z._default(z.number().check(z.int(), z.gte(1), z.lte(MAX_LISTED)), 100),
    offset: z._default(z.number().check(z.int(), z.gte(0), z.lte(1_000_000)), 0),
    search: z.optional(z.string().check(z.maxLength(200))),
    sortBy: z.optional(
      z.object({
        column: z.optional(z.enum(['name', 'updated_at', 'created_at', 'last_accessed_at'])),
        order: z.optional(z.enum(['asc', 'desc'])),
      }),
    ),
  }),
  success: { status: 200, body: z.array(listedObject) },
  errors: ['UNAUTHENTICATED', 'BUCKET_NOT_FOUND', 'INVALID_INPUT'],
})

/** Files that are not there are left out of the answer. */
export const storageRemove = defineEndpoint({
  method: 'DELETE',
  path: '/storage/v1/object/:bucket',
  summary: 'Remove files',
  tag: 'media',
  access: 'staff',
  dialect: 'hosted-storage',
  params: z.object({ bucket: z.string() }),
  body: z.object({
    prefixes: z.array(z.string()).check(z.maxLength(MAX_LISTED, `At most ${MAX_LISTED} files at a time`)),
  }),
  success: {
    status: 200,
    body: z.array(z.object({ id: z.uuid(), name: z.string(), bucket_id: z.string() })),
  },
  errors: ['UNAUTHENTICATED', 'FORBIDDEN', 'BUCKET_NOT_FOUND', 'INVALID_INPUT'],
})
