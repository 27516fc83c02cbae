import { type ErrorEntry, hostedStorage } from './error-entry.ts'

/** What goes wrong with stored media. The hosted service answers 400 and says in the body which failure it is. */
export const STORAGE_ERRORS = {
  BUCKET_NOT_FOUND: {
    status: 404,
    message: 'There is no such bucket.',
    storage: hostedStorage(400, '404', 'Bucket not found', 'NoSuchBucket', 'Bucket not found'),
  },
  BUCKETS_FIXED: {
    status: 403,
    message: 'Buckets are made by the product itself, and nobody changes them.',
    storage: hostedStorage(
      403,
      '403',
      'Unauthorized',
      'AccessDenied',
      'Buckets are made by the product itself, and nobody changes them.',
    ),
  },
  OBJECT_NOT_FOUND: {
    status: 404,
    message: 'This file is not there.',
    storage: hostedStorage(400, '404', 'not_found', 'NoSuchKey', 'Object not found'),
  },
  OBJECT_EXISTS: {
    status: 409,
    message: 'There is a file of this name already.',
    storage: hostedStorage(400, '409', 'Duplicate', 'KeyAlreadyExists', 'The resource already exists'),
  },
  OBJECT_KEY_INVALID: {
    status: 422,
    message: 'A file cannot have this name.',
    storage: hostedStorage(400, '400', 'InvalidKey', 'InvalidKey', 'Invalid key'),
  },
  MEDIA_TYPE_REFUSED: {
    status: 415,
    message: 'This kind of file cannot be stored here.',
    storage: hostedStorage(400, '415', 'invalid_mime_type', 'InvalidMimeType', 'mime type is not supported'),
  },
  MEDIA_REJECTED: {
    status: 422,
    message: 'This file is not what its name says.',
    storage: hostedStorage(
      400,
      '422',
      'invalid_media',
      'InvalidRequest',
      'This file is not what its name says.',
    ),
  },
  LINK_INVALID: {
    status: 400,
    message: 'This address is not complete.',
    storage: hostedStorage(
      400,
      '400',
      'InvalidJWT',
      'InvalidJWT',
      'The token of this address is not one of ours',
    ),
  },
  LINK_OUTDATED: {
    status: 400,
    message: 'This address has expired.',
    storage: hostedStorage(400, '400', 'InvalidJWT', 'ExpiredToken', 'This address has expired'),
  },
  LINK_OF_OTHER: {
    status: 400,
    message: 'This address was made for another file.',
    storage: hostedStorage(
      400,
      '400',
      'InvalidSignature',
      'InvalidSignature',
      'This address was made for another file',
    ),
  },
} as const satisfies Record<string, ErrorEntry>
