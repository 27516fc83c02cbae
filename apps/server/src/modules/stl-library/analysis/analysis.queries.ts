import type { MeshWarning } from '@pegasus/mesh/stl-types'
import type { Queryable } from '../../../platform/database/database.ts'
import type { BoundingBox, Warning } from '../models/models.queries.ts'

export interface VersionToAnalyse {
  id: string
  object_key: string
  sha256: string
  triangles: number
  surface_area_mm2: number | null
  warnings: MeshWarning[]
}

export async function findVersionToAnalyse(sql: Queryable, id: string): Promise<VersionToAnalyse | null> {
  const [row] = await sql<VersionToAnalyse[]>`
    select id, object_key, sha256, triangles, surface_area_mm2, warnings
    from stl_versions where id = ${id} and analysis_status = 'pending'`
  return row ?? null
}

/** What is known of a model's geometry. Watertight and shells are null where nobody looked for holes. */
export interface Measures {
  triangles: number
  boundingBoxMm: BoundingBox
  volumeMm3: number | null
  surfaceAreaMm2: number
  isWatertight: boolean | null
  shells: number | null
  warnings: readonly Warning[]
}

const idsOf = (rows: readonly { stl_file_id: string }[]): string[] => rows.map((row) => row.stl_file_id)

/** Keeps what was measured of these bytes, once; they wait for their picture. Answers the models. */
export const saveMeasures = async (tx: Queryable, sha256: string, measures: Measures): Promise<string[]> =>
  idsOf(
    await tx<{ stl_file_id: string }[]>`
      update stl_versions
      set triangles = ${measures.triangles}, bounding_box_mm = ${tx.json(measures.boundingBoxMm as never)},
          volume_mm3 = ${measures.volumeMm3}, surface_area_mm2 = ${measures.surfaceAreaMm2},
          is_watertight = ${measures.isWatertight}, shells = ${measures.shells},
          warnings = ${tx.json([...measures.warnings] as never)}
      where sha256 = ${sha256} and analysis_status = 'pending' and surface_area_mm2 is null
      returning stl_file_id`,
  )

/** The picture ends the analysis. Answers the models that waited for it. */
export const savePicture = async (tx: Queryable, sha256: string, thumbnailKey: string): Promise<string[]> =>
  idsOf(
    await tx<{ stl_file_id: string }[]>`
      update stl_versions set thumbnail_key = ${thumbnailKey}, analysis_status = 'done'
      where sha256 = ${sha256} and analysis_status = 'pending' and surface_area_mm2 is not null
      returning stl_file_id`,
  )

/** The same where it cannot be had: a model that was measured is done all the same, without a picture. */
export const saveFailure = async (
  tx: Queryable,
  sha256: string,
  warning: { unmeasured: Warning; undrawn: Warning },
): Promise<string[]> =>
  idsOf(
    await tx<{ stl_file_id: string }[]>`
      update stl_versions
      set analysis_status = case when surface_area_mm2 is null then 'failed' else 'done' end,
          warnings = warnings || case when surface_area_mm2 is null then ${tx.json([warning.unmeasured] as never)}::jsonb
                                      else ${tx.json([warning.undrawn] as never)}::jsonb end
      where sha256 = ${sha256} and analysis_status = 'pending'
      returning stl_file_id`,
  )
