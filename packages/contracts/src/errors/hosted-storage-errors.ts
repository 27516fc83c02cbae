import type { ErrorCode } from './own-api-errors.ts'

/**
 * An error in the hosted storage service's dialect. That service uses HTTP status 400 for nearly every error;
 * `statusCode` contains the meaningful status as a string.
 */
type HostedStorageError = readonly [
  status: number,
  statusCode: string,
  error: string,
  code: string,
  message: string,
]

// biome-ignore format: one line for each error reads best
export const HOSTED_STORAGE_ERRORS: Partial<Record<ErrorCode, HostedStorageError>> = {
  UNAUTHENTICATED: [401, '401', 'Unauthorized', 'AccessDenied', 'Invalid Compact JWS'],
  BAD_JWT: [401, '401', 'Unauthorized', 'AccessDenied', 'Invalid Compact JWS'],
  BUCKET_NOT_FOUND: [400, '404', 'Bucket not found', 'NoSuchBucket', 'Bucket not found'],
  BUCKET_EXISTS: [400, '409', 'Duplicate', 'BucketAlreadyExists', 'The resource already exists'],
  BUCKET_NAME_INVALID: [400, '400', 'Invalid Input', 'InvalidBucketName', 'Bucket name invalid'],
  BUCKET_NOT_EMPTY: [400, '409', 'ResourceNotEmpty', 'ResourceNotEmpty', 'The bucket you tried to delete is not empty'],
  BUCKET_FIXED: [403, '403', 'Unauthorized', 'AccessDenied', 'The product needs this bucket as it is.'],
  TOO_MANY_BUCKETS: [400, '409', 'LimitExceeded', 'LimitExceeded', 'There are too many buckets.'],
  OBJECT_NOT_FOUND: [400, '404', 'not_found', 'NoSuchKey', 'Object not found'],
  OBJECT_EXISTS: [400, '409', 'Duplicate', 'KeyAlreadyExists', 'The resource already exists'],
  OBJECT_KEY_INVALID: [400, '400', 'InvalidKey', 'InvalidKey', 'Invalid key'],
  MEDIA_TYPE_REFUSED: [400, '415', 'invalid_mime_type', 'InvalidMimeType', 'mime type is not supported'],
  MIME_TYPE_REFUSED: [400, '415', 'invalid_mime_type', 'InvalidMimeType', 'mime type is not supported'],
  MEDIA_REJECTED: [400, '422', 'invalid_media', 'InvalidRequest', 'The content of this file does not match its name.'],
  MALWARE_FOUND: [400, '422', 'malware_found', 'InvalidRequest', 'The malware scanner found something in this file, so nothing was saved.'],
  LINK_INVALID: [400, '400', 'InvalidJWT', 'InvalidJWT', 'The token of this link is invalid'],
  LINK_OUTDATED: [400, '400', 'InvalidJWT', 'ExpiredToken', 'This link has expired'],
  LINK_OF_OTHER: [400, '400', 'InvalidSignature', 'InvalidSignature', 'This link belongs to another file'],
}
