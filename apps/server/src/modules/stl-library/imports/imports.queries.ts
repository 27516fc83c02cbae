import { isEmployeeOrHigher } from '@pegasus/contracts/roles'
import type { ArchiveEntry, ImportStatus } from '@pegasus/contracts/stl-library/imports'
import { type Actor, accountActor } from '../../../platform/actor.ts'
import { firstRow } from '../../../platform/database/first-row.ts'
import type { Row, Update } from '../../../platform/database/column-types.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { updateTable } from '../../../platform/database/write-rows.ts'
import { countUpToCap, newestFirst } from '../../../platform/database/list-queries.ts'
import type { TaskSubject } from '../../../platform/tasks/tasks.ts'
import type { FoundEntry } from '../upload/inspection/inspection.protocol.ts'
import type { ModelFields } from '../upload/store-model.ts'
import type { PageRequest } from '../../../platform/http/paging.ts'

/** An import, with its entries if it is an archive. */
export interface ImportRow
  extends Row<
    'stl_imports',
    | 'id'
    | 'account_id'
    | 'source'
    | 'status'
    | 'url'
    | 'file_name'
    | 'received_bytes'
    | 'total_bytes'
    | 'object_key'
    | 'stl_file_id'
    | 'error'
    | 'created_at'
    | 'updated_at'
    | 'expires_at'
  > {
  fields: ModelFields
  /** The time when the whole archive had arrived from the remote server. */
  fetched_at: Row<'stl_imports'>['fetched_at']
  entries: ArchiveEntry[] | null
}

/**
 * Selects the live model that this entry duplicates. Before the import of the entry, this is the oldest model with the
 * same bytes. After it, this is the original of its model.
 */
const sameBytes = (sql: Queryable) => sql`
  case when e.stl_file_id is null then (
    select f.id from stl_versions v join stl_files f on f.current_version_id = v.id
    where v.sha256 = e.sha256 and f.deleted_at is null order by f.created_at, f.id limit 1
  ) else (
    select d.id from stl_files f join stl_files d on d.id = f.duplicate_of
    where f.id = e.stl_file_id and d.deleted_at is null
  ) end`

const selectImport = (sql: Queryable) => sql`
  select i.id, i.account_id, i.source, i.status, i.url, i.file_name, i.fields, i.received_bytes, i.total_bytes,
         i.object_key, i.stl_file_id, i.error, i.fetched_at, i.created_at, i.updated_at, i.expires_at,
         (select jsonb_agg(jsonb_build_object('index', e.index, 'name', e.name, 'size', e.size, 'format', e.format,
                                              'status', e.status, 'stl_file_id', e.stl_file_id, 'error', e.error,
                                              'duplicate_of', ${sameBytes(sql)})
                           order by e.index)
          from stl_import_entries e where e.import_id = i.id) as entries
  from stl_imports i`

export const findImport = (sql: Queryable, id: string) =>
  firstRow(sql<ImportRow[]>`${selectImport(sql)} where i.id = ${id}`)

/** Like `findImport`, but locks the import until the transaction ends. */
export async function lockImport(tx: Queryable, id: string): Promise<ImportRow | null> {
  await tx`select 1 from stl_imports where id = ${id} for update`
  return findImport(tx, id)
}

/**
 * Maximum number of entries on a page of imports. An archive can have thousands of entries, and a whole page
 * is held in memory.
 */
const MAX_LISTED_ENTRIES = 20_000

/**
 * Lists imports, newest first. Returns one row more than `limit` if there is a next page. The returned
 * `limit` is lower than the requested one if the archives have too many entries.
 */
export async function listImports(
  sql: Queryable,
  accountId: string,
  page: PageRequest,
): Promise<{ rows: ImportRow[]; limit: number }> {
  const found = await sql<{ id: string; entries: number }[]>`
    select i.id, (select count(*)::int from stl_import_entries e where e.import_id = i.id) as entries
    from stl_imports i
    where i.account_id = ${accountId}
      ${newestFirst(sql, page, sql`i.created_at`, sql`i.id`)}`
  let listed = 0
  const tooMany = found.findIndex(
    ({ entries }, index) => (listed += entries) > MAX_LISTED_ENTRIES && index > 0,
  )
  const limit = tooMany < 0 ? page.limit : Math.min(tooMany, page.limit)
  const ids = found.slice(0, limit + 1).map(({ id }) => id)
  const rows = await sql<ImportRow[]>`
    ${selectImport(sql)} where i.id = any(${ids}) order by i.created_at desc, i.id desc`
  return { rows, limit }
}

/** Counts the imports of an account, exactly up to the cap. A larger number is returned as cap + 1. */
export const countImports = (sql: Queryable, accountId: string): Promise<number> =>
  countUpToCap(sql, sql`select 1 from stl_imports where account_id = ${accountId}`)

/**
 * Counts an account's imports that are unfinished or still keep their archive. Concurrent additions wait for
 * each other.
 */
export async function countOpenImports(tx: Queryable, accountId: string): Promise<number> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`stl-imports:${accountId}`}, 0))`
  const [row] = await tx<[{ open: number }]>`
    select count(*)::int as open from stl_imports
    where account_id = ${accountId}
      and (status in ('fetching', 'choosing', 'importing') or object_key is not null)`
  return row.open
}

/**
 * Locks a running import and returns the fields for the model of this entry. Returns `unwanted` if the import is not
 * running, and `settled` if the entry no longer waits.
 */
export async function lockWaitingEntry(
  tx: Queryable,
  id: string,
  index: number,
): Promise<'unwanted' | 'settled' | Pick<ImportRow, 'account_id' | 'fields' | 'url' | 'fetched_at'>> {
  // Do not read the entries: there may be thousands, and this query runs for each file.
  const [row] = await tx<Pick<ImportRow, 'account_id' | 'fields' | 'url' | 'fetched_at' | 'status'>[]>`
    select account_id, fields, url, fetched_at, status from stl_imports where id = ${id} for update`
  if (row?.status !== 'importing') return 'unwanted'
  const waiting = await tx`
    select 1 from stl_import_entries where import_id = ${id} and index = ${index} and status = 'waiting'`
  return waiting.length > 0 ? row : 'settled'
}

export interface NewImport {
  id: string
  accountId: string
  source: 'url' | 'archive'
  status: ImportStatus
  url: string | null
  fields: ModelFields
  now: Date
}

export async function insertImport(tx: Queryable, row: NewImport): Promise<void> {
  await tx`
    insert into stl_imports (id, account_id, source, status, url, fields, created_at, updated_at)
    values (${row.id}, ${row.accountId}, ${row.source}, ${row.status}, ${row.url}, ${tx.json(row.fields)},
            ${row.now}, ${row.now})`
}

/** Returns which of the given sizes, in bytes, match a live model's file. */
export async function findKnownSizes(sql: Queryable, sizes: readonly number[]): Promise<Set<number>> {
  const rows = await sql<{ size: number }[]>`
    select size from unnest(${[...new Set(sizes)]}::bigint[]) as size
    where exists (select from stl_files f where f.file_size = size and f.deleted_at is null)`
  return new Set(rows.map(({ size }) => Number(size)))
}

export interface StoredArchive {
  objectKey: string
  fileName: string
  sizeBytes: number
  entries: readonly FoundEntry[]
  /** The SHA-256 of each hashed entry, by index. */
  digests: ReadonlyMap<number, string>
  expiresAt: Date
  /** Null for an uploaded archive. */
  fetchedAt: Date | null
  now: Date
}

/** Marks the import as an archive that waits for a person to choose which files to import. */
export async function offerArchive(tx: Queryable, id: string, archive: StoredArchive): Promise<void> {
  await tx`
    update stl_imports
    set status = 'choosing', object_key = ${archive.objectKey}, file_name = ${archive.fileName},
        received_bytes = ${archive.sizeBytes}, total_bytes = ${archive.sizeBytes}, expires_at = ${archive.expiresAt},
        fetched_at = ${archive.fetchedAt}, updated_at = ${archive.now}
    where id = ${id}`
  const rows = archive.entries.map(({ index, name, sizeBytes: size, format }) => ({
    index,
    name,
    size,
    format,
    sha256: archive.digests.get(index) ?? null,
  }))
  await tx`
    insert into stl_import_entries (import_id, index, name, size, format, sha256)
    select ${id}, e.index, e.name, e.size, e.format, e.sha256
    from jsonb_to_recordset(${tx.json(rows)}) as e (index int, name text, size bigint, format text, sha256 text)`
}

/** Fields that change while an import runs. Absent fields stay unchanged. */
export type ImportChange = Omit<Update<'stl_imports'>, 'fields'> & { fields?: ModelFields }

export async function updateImport(tx: Queryable, id: string, change: ImportChange): Promise<void> {
  await tx`${updateTable(tx, 'stl_imports', change)} where id = ${id}`
}

/** Saves the progress of a fetch. Returns `unwanted` if the import is no longer in this status. */
export async function noteProgress(
  tx: Queryable,
  id: string,
  progress: { status: ImportStatus; receivedBytes: number; totalBytes: number | null; now: Date },
): Promise<'unchanged' | 'noted' | 'unwanted'> {
  const [row] = await tx<{ received_bytes: number; total_bytes: number | null }[]>`
    select received_bytes, total_bytes from stl_imports where id = ${id} and status = ${progress.status} for update`
  if (!row) return 'unwanted'
  const { receivedBytes, totalBytes, now } = progress
  if (row.received_bytes === receivedBytes && row.total_bytes === totalBytes) return 'unchanged'
  await updateImport(tx, id, { received_bytes: receivedBytes, total_bytes: totalBytes, updated_at: now })
  return 'noted'
}

export async function deleteImport(tx: Queryable, id: string): Promise<void> {
  await tx`delete from stl_imports where id = ${id}`
}

/** Marks the chosen entries as waiting and the others as skipped. */
export async function chooseEntries(tx: Queryable, id: string, indexes: readonly number[]): Promise<void> {
  await tx`
    update stl_import_entries
    set status = case when index = any(${[...indexes]}) then 'waiting' else 'skipped' end
    where import_id = ${id}`
}

/** Moves all entries of one status to another. */
export async function moveEntries(
  tx: Queryable,
  id: string,
  move: { from: ArchiveEntry['status']; to: ArchiveEntry['status']; error?: string | null },
): Promise<void> {
  await tx`
    update stl_import_entries set status = ${move.to}, error = ${move.error ?? null}
    where import_id = ${id} and status = ${move.from}`
}

export async function endEntry(
  tx: Queryable,
  id: string,
  index: number,
  end: { status: 'done' | 'failed'; stlFileId: string | null; error: string | null },
): Promise<void> {
  await tx`
    update stl_import_entries set status = ${end.status}, stl_file_id = ${end.stlFileId}, error = ${end.error}
    where import_id = ${id} and index = ${index}`
}

/**
 * Returns the person for whom an import adds models, or null if that person is deactivated or has no permission to add
 * models.
 */
export async function findUploader(sql: Queryable, accountId: string): Promise<Actor | null> {
  const [person] = await sql<
    { id: string; username: string; full_name: string; role: string; is_active: boolean }[]
  >`select id, username, full_name, role, is_active from people where id = ${accountId}`
  return person?.is_active && isEmployeeOrHigher(person.role) ? accountActor(person) : null
}

/** Returns the file or the server of an import, without the rest of the address, which can contain a key. */
export async function describeImport(sql: Queryable, id: string): Promise<TaskSubject | null> {
  const [row] = await sql<Pick<ImportRow, 'file_name' | 'url'>[]>`
    select file_name, url from stl_imports where id = ${id}`
  const name = row?.file_name ?? (row?.url ? new URL(row.url).hostname : null)
  return name === null ? null : { name, path: '/?tab=stl-library' }
}

/** Lists the imports that background work has to continue, oldest first. */
export const listUnderWay = (
  sql: Queryable,
  status: 'fetching' | 'importing',
): Promise<{ importId: string }[]> =>
  sql<{ importId: string }[]>`
    select id as "importId" from stl_imports where status = ${status} order by created_at, id`

/** Lists the imports whose archives are no longer needed. */
export const listExpired = (sql: Queryable, now: Date): Promise<{ id: string }[]> =>
  sql<{ id: string }[]>`select id from stl_imports where expires_at <= ${now} order by expires_at limit 1000`

/** Deletes the imports that ended before this time. */
export async function deleteEnded(sql: Queryable, before: Date): Promise<void> {
  await sql`
    delete from stl_imports
    where status in ('done', 'failed', 'cancelled') and object_key is null and updated_at <= ${before}`
}
