import * as z from 'zod/mini'
import { nullable } from '../fields.ts'
import { declareEndpoints } from '../endpoint.ts'
import { STORAGE_ACCESS } from './storage-access.ts'

/** Buckets in the hosted storage protocol. Paths are below `/storage/v1`. */
const { get, post, put, del } = declareEndpoints('media', { dialect: 'hosted-storage' })

const bucket = z.object({
  id: z.string(),
  name: z.string(),
  /** Id of the account that created the bucket. Empty if the server or a secret key created it. */
  owner: z.string(),
  public: z.boolean(),
  /** Maximum size of a file in bytes. */
  file_size_limit: nullable.number,
  allowed_mime_types: z.nullable(z.array(z.string())),
  created_at: z.string(),
  updated_at: z.string(),
})

/** Only the list contains the type, as in the hosted service. */
const listedBucket = z.extend(bucket, { type: z.literal('STANDARD') })

const bucketParams = z.object({ bucket: z.string() })

const count = (name: string, least: number) =>
  z.optional(
    z.coerce
      .number(`${name} must be a number`)
      .check(
        z.int(`${name} must be a whole number`),
        z.gte(least, `${name} must be at least ${least}`),
        z.lte(1_000_000, `${name} is too large`),
      ),
  )

const BUCKET_COLUMNS = ['id', 'name', 'created_at', 'updated_at'] as const
export type BucketColumn = (typeof BUCKET_COLUMNS)[number]

export const storageBuckets = get('/storage/v1/bucket', STORAGE_ACCESS.listBuckets, {
  isForServiceRoleToo: true,
  summary: 'The buckets of the media storage',
  query: z.object({
    limit: count('limit', 1),
    offset: count('offset', 0),
    search: z.optional(z.string().check(z.maxLength(200, 'search is too long'))),
    sortColumn: z.optional(z.enum(BUCKET_COLUMNS, `sortColumn must be ${BUCKET_COLUMNS.join(', ')}`)),
    sortOrder: z.optional(z.enum(['asc', 'desc'], 'sortOrder must be asc or desc')),
  }),
  returns: z.array(listedBucket),
})

export const storageBucket = get('/storage/v1/bucket/:bucket', STORAGE_ACCESS.listBuckets, {
  isForServiceRoleToo: true,
  summary: 'One bucket',
  params: bucketParams,
  returns: bucket,
  errors: ['BUCKET_NOT_FOUND'],
})

const MAX_MIME_TYPES = 100
/** The largest number that JavaScript and the database can represent exactly. */
const MAX_LIMIT = Number.MAX_SAFE_INTEGER

/** A size in bytes as a number, or as text with a decimal unit: `20MB`. */
const sizeLimit = z.nullable(
  z.union([
    z.number().check(z.int(), z.gte(0), z.lte(MAX_LIMIT)),
    z.string().check(z.regex(/^\d{1,15}(\.\d{1,3})?(gb|mb|kb|b)$/i)),
  ]),
)

/** A MIME type such as `image/png`. A star stands for all types of a group (`image/*`), or for all types. */
const mimeType = z
  .string('allowed_mime_types must be texts')
  .check(
    z.maxLength(127, 'a MIME type can have at most 127 characters'),
    z.regex(/^(\*\/\*|[\w.+-]+\/(\*|[\w.+-]+))$/, 'a MIME type must look like image/png or image/*'),
  )

/** Settings of a bucket. In a change, missing settings stay unchanged. */
const settings = {
  public: z.optional(z.boolean('public must be true or false')),
  file_size_limit: z.optional(sizeLimit),
  allowed_mime_types: z.optional(
    z.nullable(
      z
        .array(mimeType, 'allowed_mime_types must be a list')
        .check(z.maxLength(MAX_MIME_TYPES, `At most ${MAX_MIME_TYPES} MIME types`)),
    ),
  ),
}

const bucketId = z.string('name must be a text')
const doneMessage = z.object({ message: z.string() })

/** If the `id` is missing, the name is also the id of the bucket. */
export const storageCreateBucket = post('/storage/v1/bucket', STORAGE_ACCESS.changeBuckets, {
  summary: 'Create a bucket',
  isForServiceRoleToo: true,
  body: z.object({
    id: z.optional(bucketId),
    name: bucketId,
    type: z.optional(z.literal('STANDARD', 'type must be STANDARD')),
    ...settings,
  }),
  returns: z.object({ name: z.string() }),
  errors: ['BUCKET_EXISTS', 'BUCKET_NAME_INVALID', 'PAYLOAD_TOO_LARGE', 'TOO_MANY_BUCKETS'],
})
export type BucketSettings = Omit<z.output<typeof storageCreateBucket.body>, 'id' | 'name' | 'type'>

const CHANGE_ERRORS = ['BUCKET_NOT_FOUND', 'BUCKET_FIXED'] as const

/** The new settings do not affect objects that are already in the bucket. */
export const storageUpdateBucket = put('/storage/v1/bucket/:bucket', STORAGE_ACCESS.changeBuckets, {
  summary: "Change a bucket's settings",
  isForServiceRoleToo: true,
  params: bucketParams,
  body: z.object({ id: z.optional(bucketId), name: z.optional(bucketId), ...settings }),
  returns: doneMessage,
  errors: [...CHANGE_ERRORS, 'PAYLOAD_TOO_LARGE'],
})

export const storageEmptyBucket = post('/storage/v1/bucket/:bucket/empty', STORAGE_ACCESS.changeBuckets, {
  summary: 'Remove all objects of a bucket',
  isForServiceRoleToo: true,
  params: bucketParams,
  returns: doneMessage,
  errors: CHANGE_ERRORS,
})

export const storageDeleteBucket = del('/storage/v1/bucket/:bucket', STORAGE_ACCESS.changeBuckets, {
  summary: 'Delete an empty bucket',
  isForServiceRoleToo: true,
  params: bucketParams,
  returns: doneMessage,
  errors: [...CHANGE_ERRORS, 'BUCKET_NOT_EMPTY'],
})

export const storageStatus = get('/storage/v1/status', 'public', {
  summary: 'Whether the storage protocol is served',
  sends: 'text/plain',
})

export const storageVersion = get('/storage/v1/version', 'public', {
  summary: 'Version of the product',
  sends: 'text/plain',
})
