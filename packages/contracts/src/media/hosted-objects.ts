import * as z from 'zod/mini'
import { declareEndpoints } from '../endpoint.ts'
import { STORAGE_ACCESS } from './storage-access.ts'
import { PICTURE_FORMATS } from './media-files.ts'

/** The hosted service's storage protocol, as its official client uses it. Paths are below `/storage/v1`. */
const { get, post, put, del } = declareEndpoints('media', { dialect: 'hosted-storage' })

/** The parameter `*` is the path of the object within its bucket. */
export const objectParams = z.object({ bucket: z.string(), '*': z.string() })

/** Errors for a path that leads to no file. */
export const NOT_FOUND_ERRORS = ['BUCKET_NOT_FOUND', 'OBJECT_NOT_FOUND', 'OBJECT_KEY_INVALID'] as const

/** Errors for a file that cannot be stored. */
export const UPLOAD_ERRORS = [
  'BUCKET_NOT_FOUND',
  'OBJECT_EXISTS',
  'OBJECT_KEY_INVALID',
  'MEDIA_TYPE_REFUSED',
  'MIME_TYPE_REFUSED',
  'MEDIA_REJECTED',
  'PAYLOAD_TOO_LARGE',
  'MALFORMED_REQUEST',
  'STORAGE_FULL',
  'MALWARE_FOUND',
  'SCANNER_SIZE_LIMIT',
  'SCANNER_UNAVAILABLE',
] as const

const upload = {
  params: objectParams,
  isRawBody: true,
  /** `Key` is the bucket and the path. */
  returns: z.object({ Id: z.uuid(), Key: z.string() }),
  errors: UPLOAD_ERRORS,
} as const

/**
 * Accepts a multipart form or the bytes themselves. In a form, the file part may have an empty name, and
 * `cacheControl` and `metadata` are text fields. If the body consists only of the bytes, `cache-control` is a
 * header. With `x-upsert: true`, the upload replaces a file with the same path.
 */
export const storageUpload = post('/storage/v1/object/:bucket/*', STORAGE_ACCESS.changeObjects, {
  isForServiceRoleToo: true,
  summary: 'Store an object',
  ...upload,
})

/** Replaces the file, or stores it if there is no file with this path. */
export const storageUpdate = put('/storage/v1/object/:bucket/*', STORAGE_ACCESS.changeObjects, {
  isForServiceRoleToo: true,
  summary: 'Replace an object',
  ...upload,
})

/** `download` makes the response an attachment. A value that is not empty becomes the name of the file. */
export const downloadQuery = z.object({ download: z.optional(z.string()) })

const read = {
  params: objectParams,
  query: downloadQuery,
  sends: 'application/octet-stream',
  errors: [...NOT_FOUND_ERRORS, 'RANGE_NOT_SATISFIABLE'],
} as const

export const storageReadPublic = get('/storage/v1/object/public/:bucket/*', STORAGE_ACCESS.readPublic, {
  summary: 'A file of a public bucket, whole or in ranges',
  ...read,
})

export const storageRead = get('/storage/v1/object/authenticated/:bucket/*', STORAGE_ACCESS.readObjects, {
  isForServiceRoleToo: true,
  aliases: ['/storage/v1/object/:bucket/*'],
  summary: 'A file of any bucket',
  ...read,
})

const pixels = (name: string) =>
  z.optional(
    z.coerce.number().check(z.int(`${name} must be a whole number`), z.gte(1, `${name} must be at least 1`)),
  )

/** The requested size of a picture. It is at most `width` pixels wide, and the height follows from the width. */
export const pictureSize = z.object({
  width: pixels('width'),
  height: pixels('height'),
  quality: pixels('quality'),
  resize: z.optional(z.enum(['cover', 'contain', 'fill'], 'resize must be cover, contain or fill')),
  /** `origin` keeps the format of the original. */
  format: z.optional(z.enum([...PICTURE_FORMATS, 'origin'], 'format must be avif, webp, jpeg or origin')),
})
export type PictureSize = z.output<typeof pictureSize>

const render = {
  params: objectParams,
  query: z.extend(pictureSize, downloadQuery.shape),
  sends: 'image/webp',
  errors: [...NOT_FOUND_ERRORS, 'MEDIA_TYPE_REFUSED', 'UNAVAILABLE'],
} as const

/**
 * Returns the picture in one of a few fixed widths. The server creates it on the first request and keeps it.
 * Without a format, the server picks the best one that the caller accepts.
 */
export const storageRenderPublic = get(
  '/storage/v1/render/image/public/:bucket/*',
  STORAGE_ACCESS.readPublic,
  {
    summary: 'A picture of a public bucket in another size or format',
    ...render,
  },
)

export const storageRender = get(
  '/storage/v1/render/image/authenticated/:bucket/*',
  STORAGE_ACCESS.readObjects,
  {
    isForServiceRoleToo: true,
    summary: 'A picture of any bucket in another size or format',
    ...render,
  },
)

const info = {
  params: objectParams,
  returns: z.object({
    id: z.uuid(),
    name: z.string(),
    version: z.uuid(),
    bucket_id: z.string(),
    size: z.number(),
    content_type: z.string(),
    cache_control: z.string(),
    etag: z.string(),
    /** The client's own metadata. Empty if there are none. */
    metadata: z.record(z.string(), z.unknown()),
    last_modified: z.string(),
    created_at: z.string(),
  }),
  errors: NOT_FOUND_ERRORS,
} as const

/** The client calls this to find out whether a file exists. */
export const storageInfo = get('/storage/v1/object/info/:bucket/*', STORAGE_ACCESS.readObjects, {
  isForServiceRoleToo: true,
  aliases: ['/storage/v1/object/info/authenticated/:bucket/*'],
  summary: 'Size, type and dates of a file',
  ...info,
})

export const storageInfoPublic = get('/storage/v1/object/info/public/:bucket/*', STORAGE_ACCESS.readPublic, {
  summary: 'Size, type and dates of a file of a public bucket',
  ...info,
})

const MAX_REMOVED = 1000

/** The response lists the removed files. Paths without a file are left out. */
export const storageRemove = del('/storage/v1/object/:bucket', STORAGE_ACCESS.changeObjects, {
  isForServiceRoleToo: true,
  summary: 'Remove files',
  params: z.object({ bucket: z.string() }),
  body: z.object({
    prefixes: z.array(z.string()).check(z.maxLength(MAX_REMOVED, `At most ${MAX_REMOVED} files at a time`)),
  }),
  returns: z.array(z.object({ id: z.uuid(), name: z.string(), bucket_id: z.string() })),
  errors: ['BUCKET_NOT_FOUND'],
})

export const storageRemoveOne = del('/storage/v1/object/:bucket/*', STORAGE_ACCESS.changeObjects, {
  isForServiceRoleToo: true,
  summary: 'Remove a file',
  params: objectParams,
  returns: z.object({ message: z.string() }),
  errors: NOT_FOUND_ERRORS,
})
