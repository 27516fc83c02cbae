import * as z from 'zod/mini'
import { defineEndpoint } from '../endpoint.ts'
import { NOT_FOUND_ERRORS, objectParams } from './hosted-objects.ts'

/** Files that go, get another name or a second one. Paths are below `/storage/v1`. */

const managing = {
  tag: 'media',
  access: 'staff',
  dialect: 'hosted-storage',
} as const

export const storageRemoveOne = defineEndpoint({
  ...managing,
  method: 'DELETE',
  path: '/storage/v1/object/:bucket/*',
  summary: 'Remove a file',
  params: objectParams,
  success: { status: 200, body: z.object({ message: z.string() }) },
  errors: ['UNAUTHENTICATED', 'FORBIDDEN', ...NOT_FOUND_ERRORS],
})

const name = (field: string) => z.string(`${field} must be a text`)

/** From where to where; without `destinationBucket` it stays in its bucket. */
const fromTo = {
  bucketId: name('bucketId'),
  sourceKey: name('sourceKey'),
  destinationKey: name('destinationKey'),
  destinationBucket: z.optional(name('destinationBucket')),
  /** Of a file only its present version is kept: where it is not this one, it is not there. */
  sourceVersionId: z.optional(name('sourceVersionId')),
}

const FROM_TO_ERRORS = [
  'UNAUTHENTICATED',
  'FORBIDDEN',
  ...NOT_FOUND_ERRORS,
  'OBJECT_EXISTS',
  'MEDIA_TYPE_REFUSED',
  'PAYLOAD_TOO_LARGE',
  'INVALID_INPUT',
] as const

/** Never replaces what has the other name already. */
export const storageMove = defineEndpoint({
  ...managing,
  method: 'POST',
  path: '/storage/v1/object/move',
  summary: 'Give a file another name',
  body: z.object(fromTo),
  success: { status: 200, body: z.object({ message: z.string(), Id: z.uuid(), Key: z.string() }) },
  errors: FROM_TO_ERRORS,
})

const copyMetadata = z.object({
  /** A whole header: `max-age=3600`. What a file is, its bytes tell, so `mimetype` changes nothing. */
  cacheControl: z.optional(z.string()),
})

/**
 * With `x-upsert: true` it replaces what is there. With `copyMetadata: false` what the client once said beside the file
 * is not copied: the copy gets what stands in `x-metadata`, and its caching from `metadata` where that says so.
 */
export const storageCopy = defineEndpoint({
  ...managing,
  method: 'POST',
  path: '/storage/v1/object/copy',
  summary: 'Store a file under a second name',
  body: z.object({
    ...fromTo,
    copyMetadata: z._default(z.boolean('copyMetadata must be true or false'), true),
    metadata: z.optional(copyMetadata),
  }),
  success: {
    status: 200,
    body: z.object({
      Id: z.uuid(),
      /** Bucket and path. */
      Key: z.string(),
      id: z.uuid(),
      name: z.string(),
      bucket_id: z.string(),
      version: z.uuid(),
      created_at: z.string(),
      updated_at: z.string(),
    }),
  },
  errors: [...FROM_TO_ERRORS, 'MALFORMED_REQUEST'],
})
