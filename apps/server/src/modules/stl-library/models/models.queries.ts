import type { ModelFormat } from '@pegasus/contracts/stl-library/models'
import type { Row } from '../../../platform/database/column-types.ts'
import { firstRow } from '../../../platform/database/first-row.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import type { Fragment } from '../../../platform/database/search-patterns.ts'

type Point = [number, number, number]

export interface BoundingBox {
  min: Point
  max: Point
  size: Point
}

export interface Warning {
  code: string
  message: string
}

/** A model with its current version and the uploader's name. */
export interface ModelRow
  extends Row<
      'stl_files',
      | 'id'
      | 'title'
      | 'description'
      | 'tags'
      | 'license_type'
      | 'attribution_url'
      | 'print_material'
      | 'print_notes'
      | 'source_url'
      | 'fetched_at'
      | 'sale_allowed'
      | 'sale_note'
      | 'is_product'
      | 'suggested_fields'
      | 'revision'
      | 'created_at'
      | 'updated_at'
      | 'deleted_at'
      | 'file_name'
      | 'file_size'
      | 'is_watertight'
      | 'uploaded_by'
    >,
    Row<
      'stl_versions',
      | 'sha256'
      | 'object_key'
      | 'clean_object_key'
      | 'clean_sha256'
      | 'encoding'
      | 'triangles'
      | 'volume_mm3'
      | 'surface_area_mm2'
      | 'shells'
      | 'analysis_status'
      | 'print_estimate'
      | 'metadata'
      | 'has_slicer_command'
      | 'thumbnail_key'
      | 'second_thumbnail_key'
      | 'preview_key'
      | 'turntable_key'
      | 'turntable_failed_at'
    > {
  duplicate_of: string | null
  version_id: string
  version: number
  format: ModelFormat
  bounding_box_mm: BoundingBox | null
  warnings: Warning[]
  /** The newest sliced file of the current version that states its weight and time. */
  newest_slice: NewestSlice | null
}

/**
 * One print of a sliced file: its weight in grams, its time in minutes, and its number of pieces. If one piece needs
 * all plates of the file, these are the sums over all plates.
 */
export interface NewestSlice {
  id: string
  file_name: string
  material: string | null
  grams: number
  minutes: number
  pieces: number
  plates_per_print: number
}

/**
 * Selects models as `f` with their current versions as `v`. The caller adds conditions, and `extra` adds
 * columns.
 */
export const selectModel = (sql: Queryable, extra?: Fragment) => sql`
  select f.id, f.title, f.description, f.tags, f.license_type, f.attribution_url, f.print_material, f.print_notes,
         f.source_url, f.fetched_at, f.sale_allowed, f.sale_note, f.is_product, f.suggested_fields,
         -- A deleted model is not linked to; a restored one is again.
         (select d.id from stl_files d where d.id = f.duplicate_of and d.deleted_at is null) as duplicate_of,
         f.revision, f.created_at, f.updated_at, f.deleted_at,
         v.id as version_id, v.number as version, v.file_name, v.file_size, v.sha256, v.object_key,
         v.clean_object_key, v.clean_sha256, v.format, v.encoding, v.triangles, v.bounding_box_mm, v.volume_mm3,
         v.surface_area_mm2, v.is_watertight, v.shells, v.warnings, v.analysis_status, v.print_estimate, v.metadata,
         v.has_slicer_command, v.thumbnail_key, v.second_thumbnail_key, v.preview_key, v.turntable_key,
         v.turntable_failed_at,
         (select to_json(s) from newest_sliced_print(v.id) s) as newest_slice,
         p.username as uploaded_by${extra ? sql`, ${extra}` : sql``}
  from stl_files f
  join stl_versions v on v.id = f.current_version_id
  left join people p on p.id = v.uploaded_by`

/** The pictures of a version. `is_named` says that the request named this version. */
export interface PicturesRow {
  thumbnail_key: string | null
  second_thumbnail_key: string | null
  is_named: boolean
}

/**
 * Finds the pictures of a version of a live model. If `pictureVersion` is null, the current version is used.
 * Returns null if the model does not exist.
 */
export const findPictures = (sql: Queryable, modelId: string, pictureVersion: string | null) =>
  firstRow(sql<PicturesRow[]>`
    select v.thumbnail_key, v.second_thumbnail_key, coalesce(left(v.sha256, 12) = ${pictureVersion}, false) as is_named
    from stl_files f join stl_versions v on v.stl_file_id = f.id
    where f.id = ${modelId} and f.deleted_at is null
      and (v.id = f.current_version_id or left(v.sha256, 12) = ${pictureVersion})
    order by is_named desc, v.id = f.current_version_id desc, v.number desc limit 1`)

/** Finds a live model. Returns null if it does not exist or is deleted. */
export const findModel = (sql: Queryable, id: string) =>
  firstRow(sql<ModelRow[]>`${selectModel(sql)} where f.id = ${id} and f.deleted_at is null`)
