import * as z from 'zod/mini'
import { defineEndpoint } from '../endpoint.ts'
import { listedMetadata } from './hosted-objects.ts'

/** As many as one page holds, however many are asked for. */
export const MAX_PAGE = 1000

const SORT_COLUMNS = ['name', 'updated_at', 'created_at'] as const
export type SortColumn = (typeof SORT_COLUMNS)[number]

/** Names are whole ones, from the bucket on; `key` is the same. */
const pagedObject = z.object({
  id: z.uuid(),
  name: z.string(),
  key: z.string(),
  updated_at: z.string(),
  created_at: z.string(),
  last_accessed_at: z.string(),
  metadata: listedMetadata,
})

/** With a slash at its end. */
const pagedFolder = z.object({ name: z.string(), key: z.string() })

/**
 * The files whose names begin with `prefix`, page by page: `nextCursor` of one is `cursor` of the next, which goes on in
 * the same order. With `with_delimiter`, what lies deeper than the prefix is told as its folder alone.
 */
export const storageListPage = defineEndpoint({
  method: 'POST',
  path: '/storage/v1/object/list-v2/:bucket',
  summary: 'The files below a prefix, page by page',
  tag: 'media',
  access: 'signed-in',
  dialect: 'hosted-storage',
  params: z.object({ bucket: z.string() }),
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
  success: {
    status: 200,
    body: z.object({
      folders: z.array(pagedFolder),
      objects: z.array(pagedObject),
      hasNext: z.boolean(),
      nextCursor: z.optional(z.string()),
    }),
  },
  errors: ['UNAUTHENTICATED', 'BUCKET_NOT_FOUND', 'INVALID_INPUT'],
})
