import * as z from 'zod/mini'
import { type Endpoint, defineEndpoint } from '../endpoint.ts'

/** Buckets of the hosted storage protocol, which the product makes itself. Paths are below `/storage/v1`. */

const bucket = z.object({
  id: z.string(),
  name: z.string(),
  /** Nobody's: they are the product's. */
  owner: z.string(),
  type: z.literal('STANDARD'),
  public: z.boolean(),
  /** In bytes. */
  file_size_limit: z.nullable(z.number()),
  allowed_mime_types: z.nullable(z.array(z.string())),
  created_at: z.string(),
  updated_at: z.string(),
})

const describing = {
  method: 'GET',
  tag: 'media',
  access: 'signed-in',
  dialect: 'hosted-storage',
} as const

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

export const storageBuckets = defineEndpoint({
  ...describing,
  path: '/storage/v1/bucket',
  summary: 'The buckets that media are kept in',
  query: z.object({
    limit: count('limit', 1),
    offset: count('offset', 0),
    search: z.optional(z.string().check(z.maxLength(200, 'search is too long'))),
    sortColumn: z.optional(z.enum(BUCKET_COLUMNS, `sortColumn must be ${BUCKET_COLUMNS.join(', ')}`)),
    sortOrder: z.optional(z.enum(['asc', 'desc'], 'sortOrder must be asc or desc')),
  }),
  success: { status: 200, body: z.array(bucket) },
  errors: ['UNAUTHENTICATED', 'INVALID_INPUT'],
})

export const storageBucket = defineEndpoint({
  ...describing,
  path: '/storage/v1/bucket/:bucket',
  summary: 'A bucket that media are kept in',
  params: bucketParams,
  success: { status: 200, body: bucket },
  errors: ['UNAUTHENTICATED', 'BUCKET_NOT_FOUND'],
})

const refused = {
  summary: 'Refused: the product makes its buckets itself',
  tag: 'media',
  access: 'nobody',
  refusal: 'BUCKETS_FIXED',
  dialect: 'hosted-storage',
  success: { status: 204, body: null },
  errors: ['UNAUTHENTICATED', 'BUCKETS_FIXED'],
} as const satisfies Partial<Endpoint>

export const STORAGE_BUCKET_CHANGES = [
  defineEndpoint({ ...refused, method: 'POST', path: '/storage/v1/bucket' }),
  defineEndpoint({ ...refused, method: 'PUT', path: '/storage/v1/bucket/:bucket', params: bucketParams }),
  defineEndpoint({ ...refused, method: 'DELETE', path: '/storage/v1/bucket/:bucket', params: bucketParams }),
  defineEndpoint({
    ...refused,
    method: 'POST',
    path: '/storage/v1/bucket/:bucket/empty',
    params: bucketParams,
  }),
]

const health = {
  method: 'GET',
  tag: 'media',
  access: 'public',
  dialect: 'hosted-storage',
  errors: [],
} as const

export const storageStatus = defineEndpoint({
  ...health,
  path: '/storage/v1/status',
  summary: 'Whether this protocol is served',
  success: { status: 200, body: null, contentType: 'text/plain' },
})

export const storageVersion = defineEndpoint({
  ...health,
  path: '/storage/v1/version',
  summary: 'Version of the product',
  success: { status: 200, body: null, contentType: 'text/plain' },
})
