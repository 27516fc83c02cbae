import * as z from 'zod/mini'
import { declareEndpoints } from '../endpoint.ts'
import {
  downloadQuery,
  NOT_FOUND_ERRORS,
  objectParams,
  pictureSize,
  UPLOAD_ERRORS,
} from './hosted-objects.ts'

const { get, post, put } = declareEndpoints('media', 'hosted-storage')

/** A year: whoever wants a file to be read for longer puts it into a public bucket. */
const MAX_LINK_SECONDS = 365 * 24 * 3600
const MAX_LINKS = 1000

const expiresIn = z
  .number('expiresIn must be a number of seconds')
  .check(
    z.int('expiresIn must be a whole number of seconds'),
    z.gte(1, 'expiresIn must be at least 1 second'),
    z.lte(MAX_LINK_SECONDS, 'expiresIn must be a year at most'),
  )

/** An address below `/storage/v1`, with its token. */
const signedUrl = z.string()

/** An address at which anybody reads this file, as it is or as a smaller picture, until it expires. */
export const storageSign = post('/storage/v1/object/sign/:bucket/*', 'signed-in', {
  summary: 'An address that reads a file without signing in, for a while',
  params: objectParams,
  body: z.object({ expiresIn, transform: z.optional(pictureSize) }),
  returns: z.object({ signedURL: signedUrl }),
  errors: [...NOT_FOUND_ERRORS],
})

/** The same for many files at once; of those that are not there it says so. */
export const storageSignMany = post('/storage/v1/object/sign/:bucket', 'signed-in', {
  summary: 'Such addresses of many files',
  params: z.object({ bucket: z.string() }),
  body: z.object({
    expiresIn,
    paths: z.array(z.string()).check(z.maxLength(MAX_LINKS, `At most ${MAX_LINKS} files at a time`)),
  }),
  returns: z.array(
    z.object({ path: z.string(), signedURL: z.nullable(signedUrl), error: z.nullable(z.string()) }),
  ),
  errors: ['BUCKET_NOT_FOUND'],
})

const TOKEN_ERRORS = ['LINK_INVALID', 'LINK_OUTDATED', 'LINK_OF_OTHER'] as const
const LINK_ERRORS = [...TOKEN_ERRORS, ...NOT_FOUND_ERRORS] as const
const token = z.optional(z.string())

export const storageReadSigned = get('/storage/v1/object/sign/:bucket/*', 'public', {
  summary: 'A file by its signed address, whole or in ranges',
  params: objectParams,
  query: z.extend(downloadQuery, { token }),
  sends: 'application/octet-stream',
  errors: [...LINK_ERRORS, 'RANGE_NOT_SATISFIABLE'],
})

/** Which size it is stands in the token, so that one address is one picture. */
export const storageRenderSigned = get('/storage/v1/render/image/sign/:bucket/*', 'public', {
  summary: 'A picture by its signed address, in the size that was signed',
  params: objectParams,
  query: z.extend(downloadQuery, { token }),
  sends: 'image/webp',
  errors: [...LINK_ERRORS, 'MEDIA_TYPE_REFUSED', 'UNAVAILABLE'],
})

/**
 * An address at which anybody who has it stores this one file for two hours, in the name of whoever signed it, and no
 * longer than they could themselves: not after they signed out or lost the right to. With `x-upsert: true` it replaces
 * what is there.
 */
export const storageSignUpload = post('/storage/v1/object/upload/sign/:bucket/*', 'staff', {
  summary: 'An address that stores a file without signing in, for a while',
  params: objectParams,
  returns: z.object({ url: signedUrl, token: z.string() }),
  errors: ['BUCKET_NOT_FOUND', 'OBJECT_KEY_INVALID', 'OBJECT_EXISTS', 'MEDIA_TYPE_REFUSED'],
})

/** The same bodies as an upload's; whose file it is and whether it replaces one stand in the token. */
export const storageUploadSigned = put('/storage/v1/object/upload/sign/:bucket/*', 'public', {
  summary: 'Store a media file at its signed address',
  params: objectParams,
  query: z.object({ token }),
  isRawBody: true,
  returns: z.object({ Key: z.string() }),
  errors: [...TOKEN_ERRORS, ...UPLOAD_ERRORS],
})
