import type { SlicedPlate } from '@pegasus/mesh/gcode/sliced-file'
import type { ActorColumns } from '../../../platform/actor.ts'
import { firstRow } from '../../../platform/database/first-row.ts'
import { countUpToCap } from '../../../platform/database/list-queries.ts'
import type { Row } from '../../../platform/database/column-types.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import type { Fragment } from '../../../platform/database/search-patterns.ts'
import type { PageRequest } from '../../../platform/http/paging.ts'
import type { FileColumn, SliceTool } from '../matching/best-slice.queries.ts'

/** A row of a sliced file, with the number of its version. */
export interface SliceRow
  extends Row<
      'sliced_files',
      | FileColumn
      | 'plate'
      | 'printer_model'
      | 'layers'
      | 'material'
      | 'minutes'
      | 'pieces'
      | 'slicer'
      | 'notes'
      | 'needs_all_plates'
      | 'picture_key'
      | 'revision'
      | 'created_at'
      | 'updated_at'
      | 'deleted_at'
    >,
    ActorColumns {
  format: 'gcode' | 'bgcode' | 'gcode.3mf'
  stl_version: number
  /** Number of plates of the file that are not in the trash. */
  plates: number
  is_outdated: boolean
  nozzle_mm: number | null
  bed_mm: [number, number, number | null] | null
  layer_height_mm: number | null
  tools: SliceTool[]
  grams: number | null
  metres: number | null
}

/** SQL condition that the rows `o` and `s` are plates of the same file and the same version. */
const isOfSameFile = (sql: Queryable): Fragment =>
  sql`o.object_key = s.object_key and o.stl_version_id = s.stl_version_id`

/** Selects sliced files as `s` of live models `f`. The caller adds conditions. */
const selectSlice = (sql: Queryable) => sql`
  select s.id, s.stl_file_id, s.stl_version_id, s.object_key, s.file_name, s.file_size, s.sha256, s.format, s.plate,
         s.printer_model, s.nozzle_mm::float8 as nozzle_mm, s.bed_mm, s.layer_height_mm::float8 as layer_height_mm,
         s.layers, s.material, s.tools, s.grams::float8 as grams, s.metres::float8 as metres, s.minutes,
         case when s.needs_all_plates then s.pieces_of_all_plates else s.pieces end as pieces, s.needs_all_plates,
         (select count(*)::int from sliced_files o where ${isOfSameFile(sql)} and o.deleted_at is null) as plates,
         s.slicer, s.notes, s.picture_key, s.actor_kind, s.actor_id, s.actor_name, s.revision, s.created_at,
         s.updated_at, s.deleted_at, v.number as stl_version, s.stl_version_id <> f.current_version_id as is_outdated
  from sliced_files s
  join stl_files f on f.id = s.stl_file_id
  join stl_versions v on v.id = s.stl_version_id`

/** The sliced files of a model: either those in the trash or the live ones. */
export interface SliceFilter {
  modelId: string
  isDeleted: boolean
}

const matching = (sql: Queryable, { modelId, isDeleted }: SliceFilter): Fragment =>
  sql`s.stl_file_id = ${modelId} and (s.deleted_at is not null) = ${isDeleted}`

/**
 * Lists sliced files, newest first, and the plates of one file by number. Returns up to `limit` + 1 rows, so that the
 * caller can tell whether there is a next page.
 */
export const listSlices = (
  sql: Queryable,
  filter: SliceFilter,
  { cursor, limit }: PageRequest,
): Promise<SliceRow[]> =>
  sql<SliceRow[]>`
    ${selectSlice(sql)}
    where ${matching(sql, filter)}
      ${cursor ? sql`and (s.created_at < ${cursor.createdAt} or (s.created_at = ${cursor.createdAt} and (s.file_name, s.plate, s.id) > (select l.file_name, l.plate, l.id from sliced_files l where l.id = ${cursor.id})))` : sql``}
    order by s.created_at desc, s.file_name, s.plate, s.id
    limit ${limit + 1}`

/** Counts the sliced files of a model, up to `COUNT_CAP + 1`. */
export const countSlices = (sql: Queryable, filter: SliceFilter): Promise<number> =>
  countUpToCap(sql, sql`select 1 from sliced_files s where ${matching(sql, filter)}`)

/** Finds a sliced file of a live model, even if the file is in the trash. Returns null if there is none. */
export const findSlice = (sql: Queryable, modelId: string, id: string) =>
  firstRow(sql<SliceRow[]>`
    ${selectSlice(sql)} where s.id = ${id} and s.stl_file_id = ${modelId} and f.deleted_at is null`)

/** Finds several sliced files, in the order of `ids`. */
export const findSlices = (sql: Queryable, ids: readonly string[]): Promise<SliceRow[]> =>
  sql<SliceRow[]>`
    ${selectSlice(sql)} where s.id = any(${[...ids]}) order by array_position(${[...ids]}::uuid[], s.id)`

/**
 * Locks a sliced file and the other plates of its file until the transaction ends. They are always locked in the same
 * order, so that two callers cannot deadlock.
 */
export async function lockSlice(tx: Queryable, id: string): Promise<void> {
  await tx`
    select 1 from sliced_files s join sliced_files o on ${isOfSameFile(tx)} where s.id = ${id} order by o.id for update of o`
}

/**
 * Returns the ids of all plates of a sliced file's file, sorted by plate. For a live plate, these are the live ones.
 * For a deleted plate, these are the plates that were deleted together with it.
 */
export async function listPlateIds(tx: Queryable, id: string): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    select o.id from sliced_files s
    join sliced_files o on ${isOfSameFile(tx)} and o.deleted_at is not distinct from s.deleted_at
    where s.id = ${id} order by o.plate, o.id`
  return rows.map((row) => row.id)
}

/**
 * Finds a version of a live model: the one with this number, or the current one if the number is null. Returns null if
 * there is none.
 */
export async function findVersion(
  sql: Queryable,
  modelId: string,
  number: number | null,
): Promise<{ id: string } | null> {
  return firstRow(sql<{ id: string }[]>`
    select v.id from stl_versions v join stl_files f on f.id = v.stl_file_id
    where v.stl_file_id = ${modelId}
      and (v.number = ${number}::int or (${number}::int is null and v.id = f.current_version_id))`)
}

/**
 * Returns the pieces per print of the items that are printed from a model. Returns 1 if the items differ or there are
 * none. Used because many slicers do not write the number of pieces into the file.
 */
export async function readPiecesPerPrint(sql: Queryable, modelId: string): Promise<number> {
  const [row] = await sql<[{ pieces: number | null }]>`
    select case when min(pieces_per_print) = max(pieces_per_print) then max(pieces_per_print) end as pieces
    from items where stl_file_id = ${modelId} and deleted_at is null`
  return row.pieces ?? 1
}

/** Returns whether a model exists and is live. Until the transaction ends, the model cannot be purged. */
export async function holdModel(tx: Queryable, modelId: string): Promise<boolean> {
  const rows = await tx`select 1 from stl_files where id = ${modelId} and deleted_at is null for share`
  return rows.length > 0
}

/** Returns the title of a model, even if the model is deleted. */
export async function findTitle(sql: Queryable, modelId: string): Promise<string> {
  const [row] = await sql<{ title: string }[]>`select title from stl_files where id = ${modelId}`
  return row?.title ?? ''
}

/** Returns whether a model exists and is not deleted. */
export async function isModelThere(sql: Queryable, modelId: string): Promise<boolean> {
  const rows = await sql`select 1 from stl_files where id = ${modelId} and deleted_at is null`
  return rows.length > 0
}

export interface NewSlice extends ActorColumns, Omit<SlicedPlate, 'pieces' | 'pictures' | 'tools'> {
  id: string
  modelId: string
  versionId: string
  objectKey: string
  fileName: string
  fileSize: number
  sha256: string
  format: string
  material: string | null
  tools: SliceTool[]
  pieces: number
  piecesOfAllPlates: number
  pictureKey: string | null
  now: Date
}

/**
 * Adds a plate, unless the version already has it. Returns the id of the row with this plate, and whether the
 * row is new.
 */
export async function insertSlice(tx: Queryable, s: NewSlice): Promise<{ id: string; isNew: boolean }> {
  const added = await tx`
    insert into sliced_files (id, stl_file_id, stl_version_id, object_key, file_name, file_size, sha256, format, plate,
                              printer_model, nozzle_mm, bed_mm, layer_height_mm, layers, material, tools, grams, metres,
                              minutes, pieces, pieces_of_all_plates, slicer, notes, picture_key, actor_kind, actor_id, actor_name, created_at,
                              updated_at)
    values (${s.id}, ${s.modelId}, ${s.versionId}, ${s.objectKey}, ${s.fileName}, ${s.fileSize}, ${s.sha256},
            ${s.format}, ${s.plate}, ${s.printerModel}, ${s.nozzleMm}, ${tx.json(s.bedMm)}, ${s.layerHeightMm},
            ${s.layers}, ${s.material}, ${tx.json(s.tools)}, ${s.grams}, ${s.metres}, ${s.minutes}, ${s.pieces},
            ${s.piecesOfAllPlates}, ${s.slicer}, ${[...s.notes]}, ${s.pictureKey}, ${s.actor_kind}, ${s.actor_id}, ${s.actor_name}, ${s.now},
            ${s.now})
    on conflict (stl_version_id, sha256, plate) where deleted_at is null do nothing
    returning 1`
  if (added.length > 0) return { id: s.id, isNew: true }
  const [row] = await tx<[{ id: string }]>`
    select id from sliced_files
    where stl_version_id = ${s.versionId} and sha256 = ${s.sha256} and plate = ${s.plate} and deleted_at is null`
  return { id: row.id, isNew: false }
}

export interface SliceChange {
  /** Null leaves the number unchanged. */
  pieces: number | null
  printerModel: string | null
  nozzleMm: number | null
  material: string | null
  tools: SliceRow['tools']
  now: Date
}

/** Returns whether the server or an agent is printing one of these plates now. */
export async function isBeingPrinted(tx: Queryable, ids: readonly string[]): Promise<boolean> {
  const rows = await tx`select 1 from printing_slices where slice_id = any (${[...ids]}::uuid[]) limit 1`
  return rows.length > 0
}

/** Saves for all plates of a file whether one piece needs all of them, and how many pieces they make together. */
export async function updatePlatesOfFile(
  tx: Queryable,
  ids: readonly string[],
  { needsAllPlates, pieces, now }: { needsAllPlates: boolean | null; pieces: number | null; now: Date },
): Promise<void> {
  await tx`
    update sliced_files
    set needs_all_plates = ${needsAllPlates}, pieces_of_all_plates = coalesce(${pieces}::int, pieces_of_all_plates),
        revision = revision + 1, updated_at = ${now}
    where id = any (${[...ids]}::uuid[])`
}

/**
 * Copies the decision whether one piece needs all plates from the other live plates of the file to these plates, so
 * that all live plates of a file agree. If there are no other plates, these plates get `decision`. Null leaves them
 * unchanged.
 */
export async function joinPlatesOfFile(
  tx: Queryable,
  ids: readonly string[],
  decision: boolean | null = null,
): Promise<void> {
  await tx`
    update sliced_files p
    set needs_all_plates = case when o.id is null then coalesce(${decision}::boolean, p.needs_all_plates) else o.needs_all_plates end,
        pieces_of_all_plates = coalesce(o.pieces_of_all_plates, p.pieces_of_all_plates)
    from (select 1) as one left join lateral (
      select o.id, o.needs_all_plates, o.pieces_of_all_plates
      from sliced_files s join sliced_files o on ${isOfSameFile(tx)} and o.deleted_at is null
      where s.id = any (${[...ids]}::uuid[]) and o.id <> all (${[...ids]}::uuid[])
      order by o.created_at, o.id limit 1
    ) o on true
    where p.id = any (${[...ids]}::uuid[])`
}

/**
 * Moves plates to the trash, or restores them if `deletedAt` is null. One statement changes all plates, so that a
 * database trigger updates the sums of the file only once.
 */
export async function updateDeletedAt(
  tx: Queryable,
  ids: readonly string[],
  { deletedAt, now }: { deletedAt: Date | null; now: Date },
): Promise<void> {
  await tx`
    update sliced_files set deleted_at = ${deletedAt}, revision = revision + 1, updated_at = ${now}
    where id = any (${[...ids]}::uuid[])`
}

export async function updateSlice(tx: Queryable, id: string, change: SliceChange): Promise<void> {
  await tx`
    update sliced_files
    set pieces = coalesce(${change.pieces}::int, pieces), printer_model = ${change.printerModel}, nozzle_mm = ${change.nozzleMm},
        material = ${change.material}, tools = ${tx.json(change.tools)}, revision = revision + 1, updated_at = ${change.now}
    where id = ${id}`
}

/** Returns the delete statement that `purgeSlices` runs. */
export const deleteUnused = (sql: Queryable, before: Date, limit: number): Fragment => sql`
    delete from sliced_files where id in (
      select s.id from sliced_files s
      where s.deleted_at <= ${before} and not exists (
        select from sliced_files o join lateral (
          select from queue_slices q where q.slice_id = o.id limit 1) q on true
        where ${isOfSameFile(sql)} and (o.id = s.id or s.needs_all_plates))
      order by s.deleted_at limit ${limit})
    returning object_key, picture_key`

/**
 * Deletes rows that were moved to the trash before this time and that no job or plate refers to. If one piece needs all
 * plates of a file, a reference to one row keeps all rows, because their figures are summed.
 */
export const purgeSlices = (
  sql: Queryable,
  before: Date,
  limit: number,
): Promise<Row<'sliced_files', 'object_key' | 'picture_key'>[]> =>
  sql<Row<'sliced_files', 'object_key' | 'picture_key'>[]>`${deleteUnused(sql, before, limit)}`
