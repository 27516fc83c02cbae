import * as z from 'zod/mini'
import { nullable } from '../fields.ts'
import { declareEndpoints } from '../endpoint.ts'

/** Buckets in the hosted storage protocol. The product creates its buckets itself. Paths are below `/storage/v1`. */
const { get, post, put, del } = declareEndpoints('media', { dialect: 'hosted-storage' })

const bucket = z.object({
  id: z.string(),
  name: z.string(),
  /** Always empty: buckets belong to the product. */
  owner: z.string(),
  type: z.literal('STANDARD'),
  public: z.boolean(),
  /** In bytes. */
  file_size_limit: nullable.number,
  allowed_mime_types: z.nullable(z.array(z.string())),
  created_at: z.string(),
  updated_at: z.string(),
})

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

export const storageBuckets = get('/storage/v1/bucket', 'signed-in', {
  summary: 'The buckets of the media storage',
  query: z.object({
    limit: count('limit', 1),
    offset: count('offset', 0),
    search: z.optional(z.string().check(z.maxLength(200, 'search is too long'))),
    sortColumn: z.optional(z.enum(BUCKET_COLUMNS, `sortColumn must be ${BUCKET_COLUMNS.join(', ')}`)),
    sortOrder: z.optional(z.enum(['asc', 'desc'], 'sortOrder must be asc or desc')),
  }),
  returns: z.array(bucket),
})

export const storageBucket = get('/storage/v1/bucket/:bucket', 'signed-in', {
  summary: 'One bucket',
  params: bucketParams,
  returns: bucket,
  errors: ['BUCKET_NOT_FOUND'],
})

const refused = {
  summary: 'Refused: the product creates its buckets itself',
  refusal: 'BUCKETS_FIXED',
  params: bucketParams,
} as const

export const STORAGE_BUCKET_CHANGES = [
  post('/storage/v1/bucket', 'nobody', { summary: refused.summary, refusal: refused.refusal }),
  put('/storage/v1/bucket/:bucket', 'nobody', refused),
  del('/storage/v1/bucket/:bucket', 'nobody', refused),
  post('/storage/v1/bucket/:bucket/empty', 'nobody', refused),
]

export const storageStatus = get('/storage/v1/status', 'public', {
  summary: 'Whether the storage protocol is served',
  sends: 'text/plain',
})

export const storageVersion = get('/storage/v1/version', 'public', {
  summary: 'Version of the product',
  sends: 'text/plain',
})
