import type { BucketColumn } from '@pegasus/contracts/media/hosted-buckets'
import type { Row } from '../../../platform/database/column-types.ts'
import { firstRow } from '../../../platform/database/first-row.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import type { BucketRow } from '../media.queries.ts'

/** A bucket with all fields of the API. */
export type DescribedBucket = BucketRow & Row<'buckets', 'name' | 'owner_id' | 'created_at' | 'updated_at'>

export interface BucketsQuery {
  /** A part of the id; case is ignored. */
  search: string
  column: BucketColumn
  isDescending: boolean
  /** If null, all buckets are returned. */
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

/**
 * Locks the bucket until the transaction ends. A transaction that adds an object waits for the lock, and is
 * refused if the bucket was deleted.
 */
export const lockBucket = (tx: Queryable, id: string) =>
  firstRow(tx<DescribedBucket[]>`select * from buckets where id = ${id} for update`)

export interface NewBucket extends BucketRow {
  name: string
  ownerId: string | null
  now: Date
}

/** Inserts a bucket. Returns false if a bucket with that id already exists. */
export async function insertBucket(tx: Queryable, bucket: NewBucket): Promise<boolean> {
  const [row] = await tx`
    insert into buckets (id, name, is_public, file_size_limit, allowed_mime_types, owner_id, created_at, updated_at)
    values (${bucket.id}, ${bucket.name}, ${bucket.is_public}, ${bucket.file_size_limit}, ${bucket.allowed_mime_types},
            ${bucket.ownerId}, ${bucket.now}, ${bucket.now})
    on conflict (id) do nothing returning id`
  return row !== undefined
}

/** Counts the buckets under a lock, so that no other transaction can add a bucket in the meantime. */
export async function countBucketsLocked(tx: Queryable): Promise<number> {
  await tx`select pg_advisory_xact_lock(hashtextextended('buckets', 0))`
  const [row] = await tx<[{ buckets: number }]>`select count(*)::int as buckets from buckets`
  return row.buckets
}

export async function updateBucket(tx: Queryable, bucket: BucketRow, now: Date): Promise<void> {
  await tx`
    update buckets set is_public = ${bucket.is_public}, file_size_limit = ${bucket.file_size_limit},
           allowed_mime_types = ${bucket.allowed_mime_types}, updated_at = ${now}
    where id = ${bucket.id}`
}

/**
 * Deletes all objects of a bucket and returns their number. Their bytes are removed later if no other object
 * uses them.
 */
export async function deleteAllObjects(tx: Queryable, bucketId: string): Promise<number> {
  const [row] = await tx<[{ removed: number }]>`
    with removed as (delete from objects where bucket_id = ${bucketId} returning 1)
    select count(*)::int as removed from removed`
  return row.removed
}

export async function hasObjects(tx: Queryable, bucketId: string): Promise<boolean> {
  const [row] = await tx<[{ found: boolean }]>`
    select exists (select from objects where bucket_id = ${bucketId}) as found`
  return row.found
}

export async function deleteBucket(tx: Queryable, id: string): Promise<void> {
  await tx`delete from buckets where id = ${id}`
}
