import { MEDIA_BUCKET } from '@pegasus/contracts/media/media-files'
import type { Row } from '../../platform/database/column-types.ts'
import { firstRow } from '../../platform/database/first-row.ts'
import type { Queryable } from '../../platform/database/database.ts'
import type { ReadScope } from './storage-caller.ts'

export type BucketRow = Row<'buckets', 'id' | 'is_public' | 'file_size_limit' | 'allowed_mime_types'>

/** A bucket with its identity. A later bucket with the same name has another identity. */
export type IdentifiedBucket = BucketRow & Row<'buckets', 'uid'>

/**
 * Prevents a bucket from being deleted until the transaction ends. Returns false if it was already deleted or
 * replaced.
 */
export async function holdBucket(
  tx: Queryable,
  { id, uid }: Pick<IdentifiedBucket, 'id' | 'uid'>,
): Promise<boolean> {
  const [row] = await tx`select id from buckets where id = ${id} and uid = ${uid} for key share`
  return row !== undefined
}

export const findBucket = (sql: Queryable, id: string) =>
  firstRow(sql<IdentifiedBucket[]>`
    select id, uid, is_public, file_size_limit, allowed_mime_types from buckets where id = ${id}`)

/** A stored file with its name. */
export type ObjectRow = Row<
  'objects',
  | 'id'
  | 'bucket_id'
  | 'name'
  | 'storage_key'
  | 'sha256'
  | 'size_bytes'
  | 'content_type'
  | 'cache_control'
  | 'width_px'
  | 'height_px'
  | 'user_metadata'
  | 'version'
  | 'created_at'
  | 'updated_at'
>

const columns = (sql: Queryable) => sql`
  o.id, o.bucket_id, o.name, o.storage_key, o.sha256, o.size_bytes, o.content_type, o.cache_control, o.width_px,
  o.height_px, o.user_metadata, o.version, o.created_at, o.updated_at`

const isInScope = (sql: Queryable, scope: ReadScope) =>
  ({
    public: sql`b.is_public`,
    'signed-in': sql`(b.is_public or b.id = ${MEDIA_BUCKET})`,
    all: sql`true`,
  })[scope]

/** A file with the identity of its bucket. */
export type FoundObject = ObjectRow & { bucket_uid: string }

/** Finds an object if its bucket is in the scope. The default scope is all buckets. */
export const findObject = (
  sql: Queryable,
  place: { bucket: string; name: string; scope?: ReadScope | undefined },
) =>
  firstRow(sql<FoundObject[]>`
    select ${columns(sql)}, b.uid as bucket_uid from objects o join buckets b on b.id = o.bucket_id
    where o.bucket_id = ${place.bucket} and o.name = ${place.name} and ${isInScope(sql, place.scope ?? 'all')}`)

/** Returns which of these names exist in the bucket. */
export async function findNames(
  sql: Queryable,
  bucket: string,
  names: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await sql<{ name: string }[]>`
    select name from objects where bucket_id = ${bucket} and name = any(${[...names]}::text[])`
  return new Set(rows.map(({ name }) => name))
}

export interface NewObject {
  id: string
  bucket: string
  name: string
  storageKey: string
  sha256: string
  sizeBytes: number
  contentType: string
  cacheControl: string
  widthPx: number | null
  heightPx: number | null
  userMetadata: Record<string, unknown> | null
  version: string
  ownerId: string | null
  now: Date
}

/**
 * Stores or replaces a file. Returns the id of its row and the hash of the previous content, or null if the
 * file exists and must not be replaced.
 */
export async function upsertObject(
  tx: Queryable,
  object: NewObject,
  { replaces }: { replaces: boolean },
): Promise<{ id: string; previous: string | null } | null> {
  const [existing] = await tx<{ id: string; sha256: string }[]>`
    select id, sha256 from objects where bucket_id = ${object.bucket} and name = ${object.name} for update`
  if (existing && !replaces) return null
  const metadata = object.userMetadata === null ? null : tx.json(object.userMetadata)
  const [row] = await tx<[{ id: string }]>`
    insert into objects (id, bucket_id, name, storage_key, sha256, size_bytes, content_type, cache_control, width_px,
                         height_px, user_metadata, version, owner_id, created_at, updated_at)
    values (${object.id}, ${object.bucket}, ${object.name}, ${object.storageKey}, ${object.sha256}, ${object.sizeBytes},
            ${object.contentType}, ${object.cacheControl}, ${object.widthPx}, ${object.heightPx}, ${metadata},
            ${object.version}, ${object.ownerId}, ${object.now}, ${object.now})
    on conflict (bucket_id, name) do update
    set storage_key = excluded.storage_key, sha256 = excluded.sha256, size_bytes = excluded.size_bytes,
        content_type = excluded.content_type, cache_control = excluded.cache_control, width_px = excluded.width_px,
        height_px = excluded.height_px, user_metadata = excluded.user_metadata, version = excluded.version,
        owner_id = excluded.owner_id, updated_at = excluded.updated_at
    returning id`
  return { id: row.id, previous: existing?.sha256 ?? null }
}

/**
 * Locks the content with this hash until the transaction ends, so that no other transaction stores or removes
 * it.
 */
export async function lockMediaBytes(tx: Queryable, sha256: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`media-bytes:${sha256}`}, 0))`
}

/** Locks a name until the transaction ends, so that no other transaction stores a file under it. */
export async function lockObjectName(tx: Queryable, bucket: string, name: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`media-name:${bucket}/${name}`}, 0))`
}

/** Returns the storage keys of the newest files. */
export async function listNewestMediaKeys(sql: Queryable, limit: number): Promise<string[]> {
  const rows = await sql<{ key: string }[]>`
    select storage_key as key from objects order by updated_at desc limit ${limit}`
  return rows.map((row) => row.key)
}

export async function isMediaInUse(sql: Queryable, sha256: string): Promise<boolean> {
  const [row] = await sql<[{ found: boolean }]>`
    select exists (select from objects where sha256 = ${sha256}) as found`
  return row.found
}

export type RemovedObject = Row<'objects', 'id' | 'name' | 'bucket_id'>

export const deleteObjects = (
  tx: Queryable,
  bucket: string,
  names: readonly string[],
): Promise<RemovedObject[]> =>
  tx<RemovedObject[]>`
    delete from objects where bucket_id = ${bucket} and name = any(${[...names]}::text[])
    returning id, name, bucket_id`

export interface ListQuery {
  bucket: string
  /** Empty, or a path that ends with a slash. */
  folder: string
  search: string
  column: 'name' | 'created_at' | 'updated_at'
  isDescending: boolean
  limit: number
  offset: number
}

/** The columns of a file in a list. */
export type ListedFile = Pick<
  ObjectRow,
  'id' | 'name' | 'content_type' | 'cache_control' | 'size_bytes' | 'sha256' | 'created_at' | 'updated_at'
>

/** A file, or a folder, which has only a name. */
export type ListedRow = ListedFile | { name: string; id: null }

/** Returns the files and folders in a folder, sorted by name or by age. */
export function listFolder(sql: Queryable, query: ListQuery): Promise<ListedRow[]> {
  const { bucket, folder, search, column, isDescending, limit, offset } = query
  const direction = isDescending ? sql`desc nulls last` : sql`asc nulls first`
  const order = { name: sql`name collate "C"`, created_at: sql`created_at`, updated_at: sql`updated_at` }[
    column
  ]
  return sql<ListedRow[]>`
    with below as (
      select substr(o.name, ${folder.length + 1}::int) as rest, o.*
      from objects o where o.bucket_id = ${bucket} and starts_with(o.name, ${folder})
    ), entries as (
      select distinct on (split_part(rest, '/', 1), rest like '%/%')
        split_part(rest, '/', 1) as name,
        case when rest like '%/%' then null else id end as id,
        case when rest like '%/%' then null else content_type end as content_type,
        case when rest like '%/%' then null else cache_control end as cache_control,
        case when rest like '%/%' then null else size_bytes end as size_bytes,
        case when rest like '%/%' then null else sha256 end as sha256,
        case when rest like '%/%' then null else created_at end as created_at,
        case when rest like '%/%' then null else updated_at end as updated_at
      from below
    )
    select * from entries
    where position(lower(${search}) in lower(name)) > 0
    order by ${order} ${direction}, name collate "C"
    limit ${limit} offset ${offset}`
}
