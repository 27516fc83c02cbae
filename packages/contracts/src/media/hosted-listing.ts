import * as z from 'zod/mini'
import { nullable } from '../fields.ts'
import { declareEndpoints } from '../endpoint.ts'
import { STORAGE_ACCESS } from './storage-access.ts'

const { post } = declareEndpoints('media', { dialect: 'hosted-storage' })

/** Maximum number of files on a page, even if the client asks for more. */
export const MAX_PAGE = 1000

const listedMetadata = z.object({
  eTag: z.string(),
  size: z.number(),
  mimetype: z.string(),
  cacheControl: z.string(),
  lastModified: z.string(),
  contentLength: z.number(),
  httpStatusCode: z.number(),
})

const bucketParams = z.object({ bucket: z.string() })

/** A file or a folder. A folder has only a name. */
const listedObject = z.object({
  /** Path relative to the prefix. */
  name: z.string(),
  id: nullable.id,
  updated_at: nullable.text,
  created_at: nullable.text,
  last_accessed_at: nullable.text,
  metadata: z.nullable(listedMetadata),
})

export const storageList = post('/storage/v1/object/list/:bucket', STORAGE_ACCESS.readObjects, {
  isForServiceRoleToo: true,
  summary: 'The files and folders of a folder',
  params: bucketParams,
  body: z.object({
    prefix: z._default(z.string().check(z.maxLength(1000)), ''),
    limit: z._default(z.number().check(z.int(), z.gte(1), z.lte(MAX_PAGE)), 100),
    offset: z._default(z.number().check(z.int(), z.gte(0), z.lte(1_000_000)), 0),
    search: z.optional(z.string().check(z.maxLength(200))),
    sortBy: z.optional(
      z.object({
        column: z.optional(z.enum(['name', 'updated_at', 'created_at', 'last_accessed_at'])),
        order: z.optional(z.enum(['asc', 'desc'])),
      }),
    ),
  }),
  returns: z.array(listedObject),
  errors: ['BUCKET_NOT_FOUND'],
})

const SORT_COLUMNS = ['name', 'updated_at', 'created_at'] as const
export type SortColumn = (typeof SORT_COLUMNS)[number]

/** `name` and `key` are the same: the full path within the bucket. */
const pagedObject = z.object({
  id: z.uuid(),
  name: z.string(),
  key: z.string(),
  updated_at: z.string(),
  created_at: z.string(),
  last_accessed_at: z.string(),
  metadata: listedMetadata,
})

/** `name` and `key` are the full path of the folder. Only `name` ends with a slash. */
const pagedFolder = z.object({ name: z.string(), key: z.string() })

/**
 * Pages through the files whose path begins with `prefix`. The `nextCursor` of one page is the `cursor` of
 * the next page, which has the same sort order. With `with_delimiter`, files below a subfolder are listed as
 * that folder only.
 */
export const storageListPage = post('/storage/v1/object/list-v2/:bucket', STORAGE_ACCESS.readObjects, {
  isForServiceRoleToo: true,
  summary: 'Files whose names begin with a prefix, page by page',
  params: bucketParams,
  body: z.object({
    prefix: z._default(z.string('prefix must be a text').check(z.maxLength(1000, 'prefix is too long')), ''),
    cursor: z.optional(z.string('cursor must be a text').check(z.maxLength(2000, 'cursor is too long'))),
    limit: z._default(
      z
        .number('limit must be a number')
        .check(z.int('limit must be a whole number'), z.gte(1, 'limit must be at least 1')),
      MAX_PAGE,
    ),
    with_delimiter: z._default(z.boolean('with_delimiter must be true or false'), false),
    sortBy: z.optional(
      z.object({
        column: z.enum(SORT_COLUMNS, 'column must be name, updated_at or created_at'),
        order: z._default(z.enum(['asc', 'desc'], 'order must be asc or desc'), 'asc'),
      }),
    ),
  }),
  returns: z.object({
    folders: z.array(pagedFolder),
    objects: z.array(pagedObject),
    hasNext: z.boolean(),
    nextCursor: z.optional(z.string()),
  }),
  errors: ['BUCKET_NOT_FOUND'],
})
