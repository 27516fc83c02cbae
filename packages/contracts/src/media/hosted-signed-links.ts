import * as z from 'zod/mini'
import { defineEndpoint } from '../endpoint.ts'
import {
  downloadQuery,
  NOT_FOUND_ERRORS,
  objectParams,
  pictureSize,
  UPLOAD_ERRORS,
} from './hosted-objects.ts'

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
export const storageSign = defineEndpoint({
  method: 'POST',
  path: '/storage/v1/object/sign/:bucket/*',
  summary: 'An address that reads a file without signing in, for a while',
  tag: 'media',
  access: 'signed-in',
  dialect: 'hosted-storage',
  params: objectParams,
  body: z.object({ expiresIn, transform: z.optional(pictureSize) }),
  success: { status: 200, body: z.object({ signedURL: signedUrl }) },
  errors: ['UNAUTHENTICATED', ...NOT_FOUND_ERRORS, 'INVALID_INPUT'],
})

/** The same for many files at once; of those that are not there it says so. */
export const storageSignMany = defineEndpoint({
  method: 'POST',
  path: '/storage/v1/object/sign/:bucket',
  summary: 'Such addresses of many files',
  tag: 'media',
  access: 'signed-in',
  dialect: 'hosted-storage',
  params: z.object({ bucket: z.string() }),
  body: z.object({
    expiresIn,
    paths: z.array(z.string()).check(z.maxLength(MAX_LINKS, `At most ${MAX_LINKS} files at a time`)),
  }),
  success: {
    status: 200,
    body: z.array(
      z.object({ path: z.string(), signedURL: z.nullable(signedUrl), error: z.nullable(z.string()) }),
    ),
  },
  errors: ['UNAUTHENTICATED', 'BUCKET_NOT_FOUND', 'INVALID_INPUT'],
})

const TOKEN_ERRORS = ['LINK_INVALID', 'LINK_OUTDATED', 'LINK_OF_OTHER'] as const
const LINK_ERRORS = [...TOKEN_ERRORS, ...NOT_FOUND_ERRORS] as const
const token = z.optional(z.string())

export const storageReadSigned = defineEndpoint({
  method: 'GET',
  path: '/storage/v1/object/sign/:bucket/*',
  summary: 'A file by its signed address, whole or in ranges',
  tag: 'media',
  access: 'public',
  dialect: 'hosted-storage',
  params: objectParams,
  query: z.extend(downloadQuery, { token }),
  success: { status: 200, body: null, contentType: 'application/octet-stream' },
  errors: [...LINK_ERRORS, 'RANGE_NOT_SATISFIABLE'],
})

/** Which size it is stands in the token, so that one address is one picture. */
export const storageRenderSigned = defineEndpoint({
  method: 'GET',
  path: '/storage/v1/render/image/sign/:bucket/*',
  summary: 'A picture by its signed address, in the size that was signed',
  tag: 'media',
  access: 'public',
  dialect: 'hosted-storage',
  params: objectParams,
  query: z.extend(downloadQuery, { token }),
  success: { status: 200, body: null, contentType: 'image/webp' },
  errors: [...LINK_ERRORS, 'MEDIA_TYPE_REFUSED', 'UNAVAILABLE'],
})

/**
 * An address at which anybody who has it stores this one file for two hours, in the name of whoever signed it, and no
 * longer than they could themselves: not after they signed out or lost the right to. With `x-upsert: true` it replaces
 * what is there.
 */
export const storageSignUpload = defineEndpoint({
  method: 'POST',
  path: '/storage/v1/object/upload/sign/:bucket/*',
  summary: 'An address that stores a file without signing in, for a while',
  tag: 'media',
  access: 'staff',
  dialect: 'hosted-storage',
  params: objectParams,
  success: { status: 200, body: z.object({ url: signedUrl, token: z.string() }) },
  errors: [
    'UNAUTHENTICATED',
    'FORBIDDEN',
    'BUCKET_NOT_FOUND',
    'OBJECT_KEY_INVALID',
    'OBJECT_EXISTS',
    'MEDIA_TYPE_REFUSED',
  ],
})

/** The same bodies as an upload's; whose file it is and whether it replaces one stand in the token. */
export const storageUploadSigned = defineEndpoint({
  method: 'PUT',
  path: '/storage/v1/object/upload/sign/:bucket/*',
  summary: 'Store a media file at its signed address',
  tag: 'media',
  access: 'public',
  dialect: 'hosted-storage',
  params: objectParams,
  query: z.object({ token }),
  isRawBody: true,
  success: { status: 200, body: z.object({ Key: z.string() }) },
  errors: [...TOKEN_ERRORS, ...UPLOAD_ERRORS],
})
