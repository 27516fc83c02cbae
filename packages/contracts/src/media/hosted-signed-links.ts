import * as z from 'zod/mini'
import { nullable } from '../fields.ts'
import { declareEndpoints } from '../endpoint.ts'
import { STORAGE_ACCESS } from './storage-access.ts'
import {
  downloadQuery,
  NOT_FOUND_ERRORS,
  objectParams,
  pictureSize,
  UPLOAD_ERRORS,
} from './hosted-objects.ts'

const { get, post, put } = declareEndpoints('media', { dialect: 'hosted-storage' })

/**
 * Maximum lifetime of a link: one year. Files that must stay readable for longer belong in a public bucket.
 */
const MAX_LINK_SECONDS = 365 * 24 * 3600
const MAX_LINKS = 1000

const expiresIn = z
  .number('expiresIn must be a number of seconds')
  .check(
    z.int('expiresIn must be a whole number of seconds'),
    z.gte(1, 'expiresIn must be at least 1 second'),
    z.lte(MAX_LINK_SECONDS, 'expiresIn must be a year at most'),
  )

/** An address relative to `/storage/v1`, with its token. */
const signedUrl = z.string()

/**
 * Creates an address that opens this file without sign-in until the address expires. The file is sent
 * unchanged, or as a smaller picture.
 */
export const storageSign = post('/storage/v1/object/sign/:bucket/*', STORAGE_ACCESS.signReads, {
  isForServiceRoleToo: true,
  summary: 'Create a temporary address that reads a file without sign-in',
  params: objectParams,
  body: z.object({ expiresIn, transform: z.optional(pictureSize) }),
  returns: z.object({ signedURL: signedUrl }),
  errors: [...NOT_FOUND_ERRORS],
})

/**
 * Creates, for many files at once, addresses that open them without sign-in. A missing file gets an error in its entry.
 */
export const storageSignMany = post('/storage/v1/object/sign/:bucket', STORAGE_ACCESS.signReads, {
  isForServiceRoleToo: true,
  summary: 'Create temporary addresses that read many files without sign-in',
  params: z.object({ bucket: z.string() }),
  body: z.object({
    expiresIn,
    paths: z.array(z.string()).check(z.maxLength(MAX_LINKS, `At most ${MAX_LINKS} files at a time`)),
  }),
  returns: z.array(z.object({ path: z.string(), signedURL: z.nullable(signedUrl), error: nullable.text })),
  errors: ['BUCKET_NOT_FOUND'],
})

const TOKEN_ERRORS = ['LINK_INVALID', 'LINK_OUTDATED', 'LINK_OF_OTHER'] as const
const LINK_ERRORS = [...TOKEN_ERRORS, ...NOT_FOUND_ERRORS] as const
const token = z.optional(z.string())

export const storageReadSigned = get('/storage/v1/object/sign/:bucket/*', STORAGE_ACCESS.useSigned, {
  summary: 'A file by its signed address, whole or in ranges',
  params: objectParams,
  query: z.extend(downloadQuery, { token }),
  sends: 'application/octet-stream',
  errors: [...LINK_ERRORS, 'RANGE_NOT_SATISFIABLE'],
})

/** The token contains the size, so that each address opens only one picture. */
export const storageRenderSigned = get('/storage/v1/render/image/sign/:bucket/*', STORAGE_ACCESS.useSigned, {
  summary: 'A picture by its signed address, in the size that was signed',
  params: objectParams,
  query: z.extend(downloadQuery, { token }),
  sends: 'image/webp',
  errors: [...LINK_ERRORS, 'MEDIA_TYPE_REFUSED', 'UNAVAILABLE'],
})

/**
 * Creates an address to which this one file can be uploaded for two hours, in the name of the person who
 * requested it. The address stops working when that person signs out or loses the right to upload. With
 * `x-upsert: true`, the upload replaces an existing file.
 */
export const storageSignUpload = post(
  '/storage/v1/object/upload/sign/:bucket/*',
  STORAGE_ACCESS.changeObjects,
  {
    isForServiceRoleToo: true,
    summary: 'Create a temporary address that stores a file without sign-in',
    params: objectParams,
    returns: z.object({ url: signedUrl, token: z.string() }),
    errors: ['BUCKET_NOT_FOUND', 'OBJECT_KEY_INVALID', 'OBJECT_EXISTS', 'MEDIA_TYPE_REFUSED'],
  },
)

/**
 * Accepts the same bodies as an upload. The token contains the owner, and whether an existing file is
 * replaced.
 */
export const storageUploadSigned = put('/storage/v1/object/upload/sign/:bucket/*', STORAGE_ACCESS.useSigned, {
  summary: 'Store a media file at its signed address',
  params: objectParams,
  query: z.object({ token }),
  isRawBody: true,
  returns: z.object({ Key: z.string() }),
  errors: [...TOKEN_ERRORS, ...UPLOAD_ERRORS],
})
