import type { PrintEstimate } from '@pegasus/contracts/stl-library/models'
import type { MeshWarning } from '@pegasus/mesh/types'
import type { Row } from '../../../platform/database/column-types.ts'
import { firstRow } from '../../../platform/database/first-row.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import type { BoundingBox, Warning } from '../models/models.queries.ts'

export interface VersionToAnalyze
  extends Row<'stl_versions', 'id' | 'object_key' | 'sha256' | 'surface_area_mm2'> {
  triangles: number
  bounding_box_mm: BoundingBox | null
  warnings: MeshWarning[]
}

export const findVersionToAnalyze = (sql: Queryable, id: string) =>
  firstRow(sql<VersionToAnalyze[]>`
    select id, object_key, sha256, triangles, bounding_box_mm, surface_area_mm2, warnings
    from stl_versions where id = ${id} and analysis_status = 'pending'`)

/**
 * Lists the versions that have not been measured or drawn yet and whose triangle count is in the given range,
 * oldest first.
 */
export const listPendingVersions = (
  sql: Queryable,
  triangles: { from: number; below: number | null },
): Promise<{ versionId: string }[]> =>
  sql<{ versionId: string }[]>`
    select id as "versionId" from stl_versions
    where analysis_status = 'pending' and coalesce(triangles, 0) >= ${triangles.from}
      and (${triangles.below}::bigint is null or coalesce(triangles, 0) < ${triangles.below})
    order by created_at, id`

/** Measured geometry of a model. `watertight` and `shells` are null if the edges were not checked. */
export interface Measures {
  triangles: number
  boundingBoxMm: BoundingBox
  volumeMm3: number | null
  surfaceAreaMm2: number
  isWatertight: boolean | null
  shells: number | null
  warnings: readonly Warning[]
  /** Hash that is equal for files of the same shape; see `createShapeMeter`. */
  shapeHash: string
}

const idsOf = (rows: readonly { stl_file_id: string }[]): string[] => rows.map((row) => row.stl_file_id)

/**
 * Saves the measures of these bytes, unless they are saved already. All models with these bytes then wait for
 * their pictures. Returns the ids of these models.
 */
export const saveMeasures = async (
  tx: Queryable,
  sha256: string,
  measures: Measures & { estimate: PrintEstimate | null },
): Promise<string[]> =>
  idsOf(
    await tx<{ stl_file_id: string }[]>`
      update stl_versions
      set triangles = ${measures.triangles}, bounding_box_mm = ${tx.json(measures.boundingBoxMm)},
          volume_mm3 = ${measures.volumeMm3}, surface_area_mm2 = ${measures.surfaceAreaMm2},
          is_watertight = ${measures.isWatertight}, shells = ${measures.shells},
          warnings = ${tx.json([...measures.warnings])}, shape_hash = ${measures.shapeHash},
          print_estimate = ${measures.estimate && tx.json(measures.estimate)}
      where sha256 = ${sha256} and analysis_status = 'pending' and surface_area_mm2 is null
      returning stl_file_id`,
  )

export interface PictureKeys {
  front: string
  back: string
  preview: string
}

/**
 * Saves the pictures, which ends the analysis. Returns the ids of the models that waited for the pictures.
 */
export const savePictures = async (tx: Queryable, sha256: string, keys: PictureKeys): Promise<string[]> =>
  idsOf(
    await tx<{ stl_file_id: string }[]>`
      update stl_versions
      set thumbnail_key = ${keys.front}, second_thumbnail_key = ${keys.back}, preview_key = ${keys.preview},
          analysis_status = 'done'
      where sha256 = ${sha256} and analysis_status = 'pending' and surface_area_mm2 is not null
      returning stl_file_id`,
  )

/**
 * Ends the analysis after a failure. The status becomes `failed` if the model was not measured. Otherwise it becomes
 * `done`, and the model has no pictures.
 */
export const saveFailure = async (
  tx: Queryable,
  sha256: string,
  warning: { unmeasured: Warning; undrawn: Warning },
): Promise<string[]> =>
  idsOf(
    await tx<{ stl_file_id: string }[]>`
      update stl_versions
      set analysis_status = case when surface_area_mm2 is null then 'failed' else 'done' end,
          warnings = warnings || case when surface_area_mm2 is null then ${tx.json([warning.unmeasured])}::jsonb
                                      else ${tx.json([warning.undrawn])}::jsonb end
      where sha256 = ${sha256} and analysis_status = 'pending'
      returning stl_file_id`,
  )

/** Finds the model of a version. Models in the trash count too. */
export const findModelOfVersion = (
  sql: Queryable,
  versionId: string,
): Promise<{ id: string; title: string } | null> =>
  firstRow(sql<{ id: string; title: string }[]>`
    select f.id, f.title from stl_versions v join stl_files f on f.id = v.stl_file_id where v.id = ${versionId}`)

/** Returns the SHA-256 of the bytes of a version, or null if the version does not exist. */
export async function findVersionSha(sql: Queryable, versionId: string): Promise<string | null> {
  const [row] = await sql<{ sha256: string }[]>`select sha256 from stl_versions where id = ${versionId}`
  return row?.sha256 ?? null
}

/** Finds the oldest model with these bytes. */
export const findModelOfBytes = (
  sql: Queryable,
  sha256: string,
): Promise<{ id: string; title: string } | null> =>
  firstRow(sql<{ id: string; title: string }[]>`
    select f.id, f.title from stl_versions v join stl_files f on f.id = v.stl_file_id
    where v.sha256 = ${sha256} order by f.deleted_at is not null, v.created_at, f.id limit 1`)

/**
 * Makes these bytes wait for their analysis again if it has failed, and removes its warnings. Returns the ids of their
 * models.
 */
export const reopenAnalysis = async (
  tx: Queryable,
  sha256: string,
  codes: readonly string[],
): Promise<string[]> =>
  idsOf(
    await tx<{ stl_file_id: string }[]>`
      update stl_versions
      set analysis_status = 'pending',
          warnings = coalesce((select jsonb_agg(w.value order by w.ordinality)
                               from jsonb_array_elements(warnings) with ordinality w
                               where w.value->>'code' <> all(${[...codes]})), '[]'::jsonb)
      where sha256 = ${sha256}
        and (analysis_status = 'failed' or analysis_status = 'done' and preview_key is null)
      returning stl_file_id`,
  )

/** A version whose turntable was requested. */
export interface VersionToTurn extends Row<'stl_versions', 'sha256'> {
  preview_key: string
}

/**
 * Finds the version whose turntable has to be drawn. Returns null if the turntable exists already, if drawing it failed
 * after `since`, or if the version has no preview mesh.
 */
export const findVersionToTurn = (sql: Queryable, sha256: string, since: Date) =>
  firstRow(sql<VersionToTurn[]>`
    select sha256, preview_key from stl_versions v
    where sha256 = ${sha256} and preview_key is not null and turntable_key is null
      and not exists (
        select from stl_versions twin where twin.sha256 = v.sha256 and twin.turntable_failed_at > ${since})
    limit 1`)

export const saveTurntable = async (tx: Queryable, sha256: string, key: string): Promise<string[]> =>
  idsOf(
    await tx<{ stl_file_id: string }[]>`
      update stl_versions set turntable_key = ${key}, turntable_failed_at = null where sha256 = ${sha256} and turntable_key is null
      returning stl_file_id`,
  )

/** Removes the record of a failed drawing. Returns whether there is a turntable to draw. */
export async function reopenTurntable(tx: Queryable, sha256: string): Promise<boolean> {
  const rows = await tx`
    update stl_versions set turntable_failed_at = null
    where sha256 = ${sha256} and turntable_key is null and preview_key is not null returning 1`
  return rows.length > 0
}

/** Records that drawing failed, unless another run has drawn the turntable in the meantime. */
export async function saveTurntableFailure(sql: Queryable, sha256: string, now: Date): Promise<void> {
  await sql`
    update stl_versions set turntable_failed_at = ${now} where sha256 = ${sha256} and turntable_key is null`
}

export interface VersionToSlice extends Row<'stl_versions', 'sha256' | 'format' | 'file_size'> {
  /**
   * Key of the clean copy if the uploaded file contains a slicer command, otherwise key of the uploaded file.
   */
  object_key: Row<'stl_versions'>['object_key']
  bounding_box_mm: BoundingBox
}

/** Finds the version to slice. Returns null if it is already sliced or not measured yet. */
export const findVersionToSlice = (sql: Queryable, id: string) =>
  firstRow(sql<VersionToSlice[]>`
    select sha256, format, coalesce(clean_object_key, object_key) as object_key,
           coalesce(clean_file_size, file_size) as file_size, bounding_box_mm
    from stl_versions
    where id = ${id} and bounding_box_mm is not null and print_estimate->>'source' is distinct from 'slicer'`)

export const saveEstimate = async (
  tx: Queryable,
  sha256: string,
  estimate: PrintEstimate,
): Promise<string[]> =>
  idsOf(
    await tx<{ stl_file_id: string }[]>`
      update stl_versions set print_estimate = ${tx.json(estimate)} where sha256 = ${sha256}
      returning stl_file_id`,
  )
