import { declareEndpoints } from '../endpoint.ts'
import { STORAGE_ACCESS } from './storage-access.ts'

/**
 * Resumable uploads of objects through the protocol TUS 1.0.0, as the clients of the hosted service use it.
 */
const { get, post, patch, del } = declareEndpoints('media', { dialect: 'tus', notFound: 'UPLOAD_NOT_FOUND' })

const TARGET_ERRORS = [
  'BUCKET_NOT_FOUND',
  'OBJECT_EXISTS',
  'OBJECT_KEY_INVALID',
  'MEDIA_TYPE_REFUSED',
  'MIME_TYPE_REFUSED',
  'MEDIA_REJECTED',
] as const
/** Errors of requests that contain bytes of the file. */
export const TUS_WRITE_ERRORS = [
  'UPLOAD_EXPIRED',
  'UPLOAD_OFFSET_WRONG',
  'UPLOAD_TAKEN_OVER',
  'UNSUPPORTED_MEDIA_TYPE',
  'PAYLOAD_TOO_LARGE',
  'STORAGE_FULL',
  'MALWARE_FOUND',
  'SCANNER_SIZE_LIMIT',
  'SCANNER_UNAVAILABLE',
] as const
const LINK_ERRORS = ['LINK_INVALID', 'LINK_OUTDATED', 'LINK_OF_OTHER'] as const

export const TUS_PATH = '/storage/v1/upload/resumable'
const people = { isForServiceRoleToo: true } as const

/**
 * Starts an upload. `Upload-Length` is the size of the file in bytes. `Upload-Metadata` contains `bucketName`,
 * `objectName` and, if known, `contentType`, `cacheControl` and `metadata` (JSON). The body may contain the first
 * bytes. `x-upsert: true` replaces an existing object.
 */
export const tusCreate = post(TUS_PATH, STORAGE_ACCESS.changeObjects, {
  summary: 'Begin a resumable upload',
  ...people,
  isRawBody: true,
  sends: 'text/plain',
  errors: [...TARGET_ERRORS, ...TUS_WRITE_ERRORS, 'TUS_VERSION', 'MALFORMED_REQUEST', 'TOO_MANY_UPLOADS'],
})

export const tusHead = get(`${TUS_PATH}/:id`, STORAGE_ACCESS.changeObjects, {
  summary: 'Number of received bytes of a resumable upload, in Upload-Offset (HEAD)',
  ...people,
  sends: 'text/plain',
  errors: ['UPLOAD_EXPIRED', 'TUS_VERSION'],
})

/**
 * Sends bytes of an upload. The request with the last byte gets its response only after the object is stored.
 */
export const tusWrite = patch(`${TUS_PATH}/:id`, STORAGE_ACCESS.changeObjects, {
  summary: 'Send bytes of a resumable upload from Upload-Offset on',
  ...people,
  isRawBody: true,
  errors: [...TARGET_ERRORS, ...TUS_WRITE_ERRORS, 'TUS_VERSION', 'MALFORMED_REQUEST'],
})

export const tusRemove = del(`${TUS_PATH}/:id`, STORAGE_ACCESS.changeObjects, {
  summary: 'Cancel a resumable upload',
  ...people,
  errors: ['UPLOAD_EXPIRED', 'TUS_VERSION', 'MALFORMED_REQUEST'],
})

/** Starts an upload without a sign-in. `x-signature` contains the token of a signed upload address. */
export const tusCreateSigned = post(`${TUS_PATH}/sign`, STORAGE_ACCESS.useSigned, {
  summary: 'Begin a resumable upload with a signed token',
  isRawBody: true,
  sends: 'text/plain',
  errors: [...tusCreate.errors, ...LINK_ERRORS],
})

export const tusHeadSigned = get(`${TUS_PATH}/sign/:id`, STORAGE_ACCESS.useSigned, {
  summary: 'Number of received bytes of a signed resumable upload (HEAD)',
  sends: 'text/plain',
  errors: [...tusHead.errors, ...LINK_ERRORS],
})

export const tusWriteSigned = patch(`${TUS_PATH}/sign/:id`, STORAGE_ACCESS.useSigned, {
  summary: 'Send bytes of a signed resumable upload',
  isRawBody: true,
  errors: [...tusWrite.errors, ...LINK_ERRORS],
})

export const tusRemoveSigned = del(`${TUS_PATH}/sign/:id`, STORAGE_ACCESS.useSigned, {
  summary: 'Cancel a signed resumable upload',
  errors: [...tusRemove.errors, ...LINK_ERRORS],
})
