import type { Row } from '../database/column-types.ts'
import type { Queryable } from '../database/database.ts'
import { firstRow } from '../database/first-row.ts'

export type UploadPurpose = 'object' | 'model'

/** The account or service key that began an upload. */
export type UploadOwner = ({ accountId: string; keyId: null } | { accountId: null; keyId: string }) & {
  /** The hash of the signed token that began the upload. Missing if a session or a service key began the upload. */
  tokenHash?: string | undefined
}

export type UploadRow = Row<
  'resumable_uploads',
  | 'id'
  | 'metadata'
  | 'replaces'
  | 'target_id'
  | 'length_bytes'
  | 'received_bytes'
  | 'chunk_count'
  | 'finished_at'
  | 'expires_at'
>

const columns = (sql: Queryable) => sql`
  id, metadata, replaces, target_id, length_bytes, received_bytes, chunk_count, finished_at, expires_at`

const isOwned = (sql: Queryable, { accountId, keyId }: UploadOwner) =>
  accountId === null ? sql`key_id = ${keyId}` : sql`owner_id = ${accountId}`

export const findUpload = (
  sql: Queryable,
  upload: { id: string; purpose: UploadPurpose; owner: UploadOwner },
) =>
  firstRow(sql<UploadRow[]>`
    select ${columns(sql)} from resumable_uploads
    where id = ${upload.id} and purpose = ${upload.purpose} and ${isOwned(sql, upload.owner)}
      and token_hash is not distinct from ${upload.owner.tokenHash ?? null}`)

export const findObjectUpload = (sql: Queryable, id: string) =>
  firstRow(sql<UploadRow[]>`
    select ${columns(sql)} from resumable_uploads where id = ${id} and purpose = 'object'`)

/**
 * Locks an owner until the transaction ends, so that no concurrent request can add an upload for this owner.
 */
export async function lockOwner(tx: Queryable, owner: UploadOwner): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`uploads:${owner.accountId ?? owner.keyId}`}, 0))`
}

/**
 * Counts the unfinished uploads that an owner began in a session or with a key. If the owner has a token hash, counts
 * the uploads of all tokens of the owner instead.
 */
export async function countOpen(tx: Queryable, owner: UploadOwner, now: Date): Promise<number> {
  const [row] = await tx<[{ open: number }]>`
    select count(*)::int as open from resumable_uploads
    where ${isOwned(tx, owner)} and finished_at is null and expires_at > ${now}
      and ${owner.tokenHash === undefined ? tx`token_hash is null` : tx`token_hash is not null`}`
  return row.open
}

/** Deletes the unfinished uploads of a signed token. Returns the keys of their objects. */
export async function deleteOpenOfToken(tx: Queryable, tokenHash: string): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    select id from resumable_uploads where token_hash = ${tokenHash} and finished_at is null for update`
  const keys: string[] = []
  for (const { id } of rows) keys.push(...((await deleteUpload(tx, id)) ?? []))
  return keys
}

export interface NewUpload {
  id: string
  purpose: UploadPurpose
  owner: UploadOwner
  metadata: string
  replaces: boolean
  /** The id of the destination, which must stay the same until the upload ends. */
  targetId: string | null
  lengthBytes: number
  now: Date
  expiresAt: Date
}

export async function insertUpload(tx: Queryable, upload: NewUpload): Promise<UploadRow> {
  const { accountId, keyId, tokenHash = null } = upload.owner
  const [row] = await tx<[UploadRow]>`
    insert into resumable_uploads (id, purpose, owner_id, key_id, token_hash, metadata, replaces, target_id, length_bytes, created_at,
                                   expires_at)
    values (${upload.id}, ${upload.purpose}, ${accountId}, ${keyId}, ${tokenHash}, ${upload.metadata}, ${upload.replaces},
            ${upload.targetId}, ${upload.lengthBytes}, ${upload.now}, ${upload.expiresAt})
    returning ${columns(tx)}`
  return row
}

/**
 * Gives one request the exclusive right to add bytes, if its offset continues the upload. Returns whether the
 * request has that right.
 */
export async function claimUpload(
  sql: Queryable,
  { id, offset, writer, expiresAt }: { id: string; offset: number; writer: string; expiresAt: Date },
): Promise<boolean> {
  const [row] = await sql`
    update resumable_uploads set writer = ${writer}, expires_at = ${expiresAt}
    where id = ${id} and received_bytes = ${offset} and finished_at is null returning id`
  return row !== undefined
}

export interface NewChunk {
  uploadId: string
  writer: string
  startBytes: number
  sizeBytes: number
  objectKey: string
  expiresAt: Date
}

/** Adds a chunk, unless another request has taken over the upload. Returns whether it was added. */
export async function addChunk(tx: Queryable, chunk: NewChunk): Promise<boolean> {
  const [row] = await tx`
    update resumable_uploads
    set received_bytes = received_bytes + ${chunk.sizeBytes}, chunk_count = chunk_count + 1,
        expires_at = ${chunk.expiresAt}
    where id = ${chunk.uploadId} and writer = ${chunk.writer} and received_bytes = ${chunk.startBytes}
      and finished_at is null
    returning id`
  if (row === undefined) return false
  await tx`
    insert into resumable_chunks (upload_id, start_bytes, size_bytes, object_key)
    values (${chunk.uploadId}, ${chunk.startBytes}, ${chunk.sizeBytes}, ${chunk.objectKey})`
  return true
}

export type ChunkRow = Row<'resumable_chunks', 'start_bytes' | 'size_bytes' | 'object_key'>

export const listChunks = (sql: Queryable, uploadId: string): Promise<ChunkRow[]> =>
  sql<ChunkRow[]>`
    select start_bytes, size_bytes, object_key from resumable_chunks where upload_id = ${uploadId}
    order by start_bytes`

/**
 * Marks an upload as finished and deletes its chunks. Returns the keys of their objects, or null if the upload is
 * already finished or gone. Another transaction that finishes or deletes the upload waits until this transaction has
 * ended.
 */
export async function finishUpload(tx: Queryable, id: string, now: Date): Promise<string[] | null> {
  const [row] = await tx`
    update resumable_uploads set finished_at = ${now} where id = ${id} and finished_at is null returning id`
  return row === undefined ? null : deleteChunks(tx, id)
}

/**
 * Deletes an upload with its chunks. With `expiredBy`, deletes the upload only if it has expired by then and
 * was not continued in the meantime. Returns the keys of the objects, or null if nothing was deleted.
 */
export async function deleteUpload(
  tx: Queryable,
  id: string,
  { expiredBy }: { expiredBy?: Date } = {},
): Promise<string[] | null> {
  // Lock first, so that a request that continues the upload has either ended or finds no upload.
  const [row] = await tx`
    select id from resumable_uploads
    where id = ${id} ${expiredBy ? tx`and expires_at <= ${expiredBy}` : tx``} for update`
  if (row === undefined) return null
  const keys = await deleteChunks(tx, id)
  await tx`delete from resumable_uploads where id = ${id}`
  return keys
}

async function deleteChunks(tx: Queryable, uploadId: string): Promise<string[]> {
  const rows = await tx<{ object_key: string }[]>`
    delete from resumable_chunks where upload_id = ${uploadId} returning object_key`
  return rows.map((row) => row.object_key)
}

export async function isUploadFinished(sql: Queryable, id: string): Promise<boolean> {
  const [row] = await sql<[{ found: boolean }]>`
    select exists (select from resumable_uploads where id = ${id} and finished_at is not null) as found`
  return row.found
}

export async function listExpired(sql: Queryable, now: Date, limit: number): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from resumable_uploads where expires_at <= ${now} order by expires_at limit ${limit}`
  return rows.map(({ id }) => id)
}

/** Returns the keys of the newest chunks. */
export async function listNewestChunkKeys(sql: Queryable, limit: number): Promise<string[]> {
  const rows = await sql<{ key: string }[]>`
    select object_key as key from resumable_chunks order by upload_id desc limit ${limit}`
  return rows.map((row) => row.key)
}

export async function isChunk(sql: Queryable, objectKey: string): Promise<boolean> {
  const [row] = await sql<[{ found: boolean }]>`
    select exists (select from resumable_chunks where object_key = ${objectKey}) as found`
  return row.found
}
