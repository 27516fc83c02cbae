import type { SlicedPlate } from '@pegasus/mesh/gcode/sliced-file'
import type { ActorColumns } from '../../../platform/actor.ts'
import { firstRow } from '../../../platform/database/first-row.ts'
import type { Row } from '../../../platform/database/column-types.ts'
import type { Queryable } from '../../../platform/database/database.ts'
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
      | 'picture_key'
      | 'revision'
      | 'created_at'
      | 'updated_at'
      | 'deleted_at'
    >,
    ActorColumns {
  format: 'gcode' | 'bgcode' | 'gcode.3mf'
  stl_version: number
  is_outdated: boolean
  nozzle_mm: number | null
  bed_mm: [number, number, number | null] | null
  layer_height_mm: number | null
  tools: SliceTool[]
  grams: number | null
  metres: number | null
}

const MAX_LISTED = 500

/** Selects sliced files as `s` of live models `f`. The caller adds conditions. */
const selectSlice = (sql: Queryable) => sql`
  select s.id, s.stl_file_id, s.stl_version_id, s.object_key, s.file_name, s.file_size, s.sha256, s.format, s.plate,
         s.printer_model, s.nozzle_mm::float8 as nozzle_mm, s.bed_mm, s.layer_height_mm::float8 as layer_height_mm,
         s.layers, s.material, s.tools, s.grams::float8 as grams, s.metres::float8 as metres, s.minutes, s.pieces,
         s.slicer, s.notes, s.picture_key, s.actor_kind, s.actor_id, s.actor_name, s.revision, s.created_at,
         s.updated_at, s.deleted_at, v.number as stl_version, s.stl_version_id <> f.current_version_id as is_outdated
  from sliced_files s
  join stl_files f on f.id = s.stl_file_id
  join stl_versions v on v.id = s.stl_version_id`

/** Lists the sliced files of a model, newest first: either those in the trash or the live ones. */
export const listSlices = (sql: Queryable, modelId: string, isDeleted: boolean): Promise<SliceRow[]> =>
  sql<SliceRow[]>`
    ${selectSlice(sql)}
    where s.stl_file_id = ${modelId} and (s.deleted_at is not null) = ${isDeleted}
    order by s.created_at desc, s.file_name, s.plate, s.id
    limit ${MAX_LISTED}`

/** Finds a sliced file of a live model, even if the file is in the trash. Returns null if there is none. */
export const findSlice = (sql: Queryable, modelId: string, id: string) =>
  firstRow(sql<SliceRow[]>`
    ${selectSlice(sql)} where s.id = ${id} and s.stl_file_id = ${modelId} and f.deleted_at is null`)

/** Finds several sliced files, in the order of `ids`. */
export const findSlices = (sql: Queryable, ids: readonly string[]): Promise<SliceRow[]> =>
  sql<SliceRow[]>`
    ${selectSlice(sql)} where s.id = any(${[...ids]}) order by array_position(${[...ids]}::uuid[], s.id)`

/** Locks a sliced file until the transaction ends. */
export async function lockSlice(tx: Queryable, id: string): Promise<void> {
  await tx`select 1 from sliced_files where id = ${id} for update`
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
 * Returns the pieces per print of the items that a model is printed for, or 1 if they differ or there are none. Many
 * slicers do not write the number of pieces into the file.
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

/** Returns whether a model exists and is live. */
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
                              minutes, pieces, slicer, notes, picture_key, actor_kind, actor_id, actor_name, created_at,
                              updated_at)
    values (${s.id}, ${s.modelId}, ${s.versionId}, ${s.objectKey}, ${s.fileName}, ${s.fileSize}, ${s.sha256},
            ${s.format}, ${s.plate}, ${s.printerModel}, ${s.nozzleMm}, ${tx.json(s.bedMm)}, ${s.layerHeightMm},
            ${s.layers}, ${s.material}, ${tx.json(s.tools)}, ${s.grams}, ${s.metres}, ${s.minutes}, ${s.pieces},
            ${s.slicer}, ${[...s.notes]}, ${s.pictureKey}, ${s.actor_kind}, ${s.actor_id}, ${s.actor_name}, ${s.now},
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
  pieces: number
  printerModel: string | null
  nozzleMm: number | null
  now: Date
}

export async function updateSlice(tx: Queryable, id: string, change: SliceChange): Promise<void> {
  await tx`
    update sliced_files
    set pieces = ${change.pieces}, printer_model = ${change.printerModel}, nozzle_mm = ${change.nozzleMm},
        revision = revision + 1, updated_at = ${change.now}
    where id = ${id}`
}

/** Deletes the rows that were moved to the trash before this time and that no job or plate refers to. */
export const purgeSlices = (
  sql: Queryable,
  before: Date,
  limit: number,
): Promise<Row<'sliced_files', 'object_key' | 'picture_key'>[]> =>
  sql<Row<'sliced_files', 'object_key' | 'picture_key'>[]>`
    delete from sliced_files where id in (
      select s.id from sliced_files s
      where s.deleted_at <= ${before} and not exists (select from queue_slices q where q.slice_id = s.id)
      order by s.deleted_at limit ${limit})
    returning object_key, picture_key`
