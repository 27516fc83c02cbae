import * as z from 'zod/mini'
import { declareEndpoints } from '../endpoint.ts'
import { STORAGE_ACCESS } from './storage-access.ts'
import { NOT_FOUND_ERRORS } from './hosted-objects.ts'

/** Moving and copying files in the hosted storage protocol. Paths are below `/storage/v1`. */
const { post } = declareEndpoints('media', { dialect: 'hosted-storage' })

const name = (field: string) => z.string(`${field} must be a text`)

/** Source and destination. Without `destinationBucket`, the file stays in its bucket. */
const fromTo = {
  bucketId: name('bucketId'),
  sourceKey: name('sourceKey'),
  destinationKey: name('destinationKey'),
  destinationBucket: z.optional(name('destinationBucket')),
  /** Only the current version of a file is kept. Every other version is "not found". */
  sourceVersionId: z.optional(name('sourceVersionId')),
}

const FROM_TO_ERRORS = [
  ...NOT_FOUND_ERRORS,
  'OBJECT_EXISTS',
  'MEDIA_TYPE_REFUSED',
  'MIME_TYPE_REFUSED',
  'PAYLOAD_TOO_LARGE',
] as const

/** The move never replaces a file at the destination. */
export const storageMove = post('/storage/v1/object/move', STORAGE_ACCESS.changeObjects, {
  isForServiceRoleToo: true,
  summary: 'Rename or move a file',
  body: z.object(fromTo),
  returns: z.object({ message: z.string(), Id: z.uuid(), Key: z.string() }),
  errors: FROM_TO_ERRORS,
})

const copyMetadata = z.object({
  /**
   * The whole `Cache-Control` value, such as `max-age=3600`. There is no `mimetype`, because a copy keeps its
   * type.
   */
  cacheControl: z.optional(z.string()),
})

/**
 * With `x-upsert: true`, the copy replaces a file at the destination. With `copyMetadata: false`, the
 * client's metadata are not copied. In that case, the copy gets its metadata from `x-metadata`, and its
 * caching from `metadata` if that is given.
 */
export const storageCopy = post('/storage/v1/object/copy', STORAGE_ACCESS.changeObjects, {
  isForServiceRoleToo: true,
  summary: 'Copy a file',
  body: z.object({
    ...fromTo,
    copyMetadata: z._default(z.boolean('copyMetadata must be true or false'), true),
    metadata: z.optional(copyMetadata),
  }),
  returns: z.object({
    Id: z.uuid(),
    /** The bucket and the path. */
    Key: z.string(),
    id: z.uuid(),
    name: z.string(),
    bucket_id: z.string(),
    version: z.uuid(),
    created_at: z.string(),
    updated_at: z.string(),
  }),
  errors: [...FROM_TO_ERRORS, 'MALFORMED_REQUEST'],
})
