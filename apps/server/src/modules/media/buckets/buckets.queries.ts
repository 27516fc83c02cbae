import type { BucketColumn } from '@pegasus/contracts/media/hosted-buckets'
import type { Row } from '../../../platform/database/column-types.ts'
import { firstRow } from '../../../platform/database/first-row.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import type { BucketRow } from '../media.queries.ts'

/** A bucket with all fields of the wire. */
export type DescribedBucket = BucketRow & Row<'buckets', 'name' | 'created_at' | 'updated_at'>

export interface BucketsQuery {
  /** A part of the id, in upper or lower case. */
  search: string
  column: BucketColumn
  isDescending: boolean
  /** Null returns all of them. */
  limit: number | null
  offset: number
}

export function listBuckets(sql: Queryable, query: BucketsQuery): Promise<DescribedBucket[]> {
  const { search, column, isDescending, limit, offset } = query
  const direction = isDescending ? sql`desc` : sql`asc`
  const order = { id: sql`id`, name: sql`name`, created_at: sql`created_at`, updated_at: sql`updated_at` }[
    column
  ]
  return sql<DescribedBucket[]>`
    select * from buckets where position(lower(${search}) in lower(id)) > 0
    order by ${order} ${direction}, id limit ${limit} offset ${offset}`
}

export const findDescribedBucket = (sql: Queryable, id: string) =>
  firstRow(sql<DescribedBucket[]>`select * from buckets where id = ${id}`)
