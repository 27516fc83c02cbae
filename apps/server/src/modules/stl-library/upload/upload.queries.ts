import type { LicenseType } from '@pegasus/contracts/stl-library/licenses'
import type { ModelFormat, ModelMetadata } from '@pegasus/contracts/stl-library/models'
import type { Queryable } from '../../../platform/database/database.ts'
import type { Warning } from '../models/models.queries.ts'

/** Finds the oldest live model with the same bytes. */
export async function findModelByBytes(sql: Queryable, sha256: string): Promise<string | null> {
  const [row] = await sql<{ id: string }[]>`
    select f.id from stl_files f join stl_versions v on v.id = f.current_version_id
    where v.sha256 = ${sha256} and f.deleted_at is null
    order by f.created_at, f.id limit 1`
  return row?.id ?? null
}

/** The file of a version to insert. */
export interface NewVersion {
  versionId: string
  modelId: string
  /** The number of the version within its model, counted from 1. */
  number: number
  note: string | null
  fileName: string
  sizeBytes: number
  sha256: string
  objectKey: string
  /** The copy that is served instead of the file, or null if the file itself is served. */
  clean: { objectKey: string; sizeBytes: number; sha256: string } | null
  format: ModelFormat
  encoding: 'binary' | 'ascii' | null
  metadata: ModelMetadata | null
  triangles: number
  warnings: readonly Warning[]
  uploadedBy: string
  now: Date
}

export async function insertVersion(tx: Queryable, version: NewVersion): Promise<void> {
  await tx`
    insert into stl_versions (id, stl_file_id, number, note, file_name, file_size, sha256, object_key, format, encoding,
                              triangles, warnings, metadata, has_slicer_command, clean_object_key, clean_file_size,
                              clean_sha256, uploaded_by, created_at)
    values (${version.versionId}, ${version.modelId}, ${version.number}, ${version.note}, ${version.fileName},
            ${version.sizeBytes}, ${version.sha256}, ${version.objectKey}, ${version.format}, ${version.encoding},
            ${version.triangles}, ${tx.json([...version.warnings])},
            ${version.metadata && tx.json(version.metadata)}, ${version.clean !== null},
            ${version.clean?.objectKey ?? null}, ${version.clean?.sizeBytes ?? null}, ${version.clean?.sha256 ?? null},
            ${version.uploadedBy}, ${version.now})`
}

export interface NewModel extends Omit<NewVersion, 'modelId' | 'number' | 'note'> {
  id: string
  title: string
  description: string | null
  tags: readonly string[]
  licenseType: LicenseType
  attributionUrl: string | null
  printMaterial: string | null
  printNotes: string | null
  sourceUrl: string | null
  fetchedAt: Date | null
  suggestedFields: readonly string[]
  /** Fields that are empty now and get suggestions after the model has been measured. */
  fieldsToSuggest: readonly string[]
  duplicateOf: string | null
}

/**
 * Inserts a model with its first version. The version comes first, because the model copies the columns that
 * lists need from it.
 */
export async function insertModel(tx: Queryable, model: NewModel): Promise<void> {
  await insertVersion(tx, { ...model, modelId: model.id, number: 1, note: null })
  await tx`
    insert into stl_files (id, title, description, tags, license_type, attribution_url, print_material, print_notes,
                           source_url, fetched_at, suggested_fields, fields_to_suggest, duplicate_of, current_version_id, created_at,
                           updated_at)
    values (${model.id}, ${model.title}, ${model.description}, ${[...model.tags]}, ${model.licenseType},
            ${model.attributionUrl}, ${model.printMaterial}, ${model.printNotes}, ${model.sourceUrl},
            ${model.fetchedAt}, ${[...model.suggestedFields]}, ${[...model.fieldsToSuggest]}, ${model.duplicateOf}, ${model.versionId}, ${model.now},
            ${model.now})`
}

/**
 * Makes other transactions that add, copy, analyze or remove the same bytes wait until this transaction ends.
 */
export async function lockBytes(tx: Queryable, sha256: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`stl-bytes:${sha256}`}, 0))`
}

/**
 * Copies the results of an earlier analysis of the same bytes to a new version. Returns whether the bytes
 * were already measured and drawn.
 */
export async function copyAnalysis(tx: Queryable, versionId: string, sha256: string): Promise<boolean> {
  const copied = await tx`
    update stl_versions v
    set triangles = twin.triangles, bounding_box_mm = twin.bounding_box_mm, volume_mm3 = twin.volume_mm3,
        surface_area_mm2 = twin.surface_area_mm2, is_watertight = twin.is_watertight, shells = twin.shells,
        warnings = twin.warnings, shape_hash = twin.shape_hash, print_estimate = twin.print_estimate,
        thumbnail_key = twin.thumbnail_key, second_thumbnail_key = twin.second_thumbnail_key,
        preview_key = twin.preview_key, turntable_key = twin.turntable_key, analysis_status = 'done'
    from (select * from stl_versions
          where sha256 = ${sha256} and analysis_status = 'done' and thumbnail_key is not null
          order by created_at desc limit 1) twin
    where v.id = ${versionId}
    returning 1`
  return copied.length > 0
}

/** Counts the versions uploaded by this account that wait for their analysis. */
export async function countWaiting(tx: Queryable, accountId: string): Promise<number> {
  const [row] = await tx<[{ waiting: number }]>`
    select count(*)::int as waiting from stl_versions
    where uploaded_by = ${accountId} and analysis_status = 'pending'`
  return row.waiting
}

/** Returns the keys of the newest versions and imports. */
export async function listNewestKeys(sql: Queryable, limit: number): Promise<string[]> {
  const rows = await sql<{ key: string }[]>`
    (select object_key as key from stl_versions order by id desc limit ${limit})
    union all (select object_key from stl_imports where object_key is not null order by id desc limit ${limit})`
  return rows.map((row) => row.key)
}

/** Returns the keys to which a version or an import still refers. */
export async function findKeysInUse(sql: Queryable, keys: readonly string[]): Promise<Set<string>> {
  const rows = await sql<{ key: string }[]>`
    select object_key as key from stl_versions where object_key = any(${[...keys]})
    union select clean_object_key from stl_versions where clean_object_key = any(${[...keys]})
    union select thumbnail_key from stl_versions where thumbnail_key = any(${[...keys]})
    union select second_thumbnail_key from stl_versions where second_thumbnail_key = any(${[...keys]})
    union select turntable_key from stl_versions where turntable_key = any(${[...keys]})
    union select preview_key from stl_versions where preview_key = any(${[...keys]})
    union select object_key from stl_imports where object_key = any(${[...keys]})`
  return new Set(rows.map((row) => row.key))
}
