import type { LicenseType } from '@pegasus/contracts/licenses'
import type { MeshWarning } from '@pegasus/mesh/stl-types'
import type { Queryable } from '../../platform/database/database.ts'
import { COUNT_CAP, type Cursor } from '../../platform/http/paging.ts'
import { type SearchTerm, saying } from './search-terms.queries.ts'

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

/** A model with its current version and the name of who uploaded it. */
export interface ModelRow {
  id: string
  title: string
  description: string | null
  tags: string[]
  license_type: LicenseType
  attribution_url: string | null
  print_material: string | null
  print_notes: string | null
  source_url: string | null
  sale_allowed: boolean | null
  is_product: boolean
  duplicate_of: string | null
  suggested_fields: string[]
  revision: number
  created_at: string
  updated_at: string
  version_id: string
  file_name: string
  file_size: number
  sha256: string
  object_key: string
  format: 'stl' | '3mf' | 'obj'
  encoding: 'binary' | 'ascii' | null
  triangles: number | null
  bounding_box_mm: BoundingBox | null
  volume_mm3: number | null
  surface_area_mm2: number | null
  is_watertight: boolean | null
  shells: number | null
  warnings: Warning[]
  analysis_status: 'pending' | 'done' | 'failed'
  thumbnail_key: string | null
  uploaded_by: string | null
}

export interface ModelFilter {
  /** What must occur somewhere in the title or the description. */
  terms: readonly SearchTerm[]
  tags: readonly string[]
  licenseType?: LicenseType | undefined
}

const selectModel = (sql: Queryable) => sql`
  select f.id, f.title, f.description, f.tags, f.license_type, f.attribution_url, f.print_material, f.print_notes,
         f.source_url, f.sale_allowed, f.is_product, f.duplicate_of, f.suggested_fields, f.revision,
         f.created_at, f.updated_at,
         v.id as version_id, v.file_name, v.file_size, v.sha256, v.object_key, v.format, v.encoding, v.triangles,
         v.bounding_box_mm, v.volume_mm3, v.surface_area_mm2, v.is_watertight, v.shells, v.warnings,
         v.analysis_status, v.thumbnail_key, p.username as uploaded_by
  from stl_files f
  join stl_versions v on v.id = f.current_version_id
  left join people p on p.id = v.uploaded_by`

const matching = (sql: Queryable, filter: ModelFilter) => sql`
  f.deleted_at is null
  ${saying(sql, filter.terms)}
  ${filter.tags.length > 0 ? sql`and f.tags @> ${[...filter.tags]}` : sql``}
  ${filter.licenseType ? sql`and f.license_type = ${filter.licenseType}` : sql``}`

export const listModels = (
  sql: Queryable,
  filter: ModelFilter,
  page: { cursor: Cursor | null; limit: number },
): Promise<ModelRow[]> =>
  sql<ModelRow[]>`
    ${selectModel(sql)}
    where ${matching(sql, filter)}
      ${page.cursor ? sql`and (f.created_at, f.id) < (${page.cursor.createdAt}::timestamptz, ${page.cursor.id}::uuid)` : sql``}
    order by f.created_at desc, f.id desc
    limit ${page.limit + 1}`

/** Models that match, exact up to the cap and one more beyond it. */
export async function countModels(sql: Queryable, filter: ModelFilter): Promise<number> {
  const [row] = await sql<[{ total: number }]>`
    select count(*)::int as total
    from (select 1 from stl_files f where ${matching(sql, filter)} limit ${COUNT_CAP + 1}) matches`
  return row.total
}

export async function findModel(sql: Queryable, id: string): Promise<ModelRow | null> {
  const [row] = await sql<ModelRow[]>`${selectModel(sql)} where f.id = ${id} and f.deleted_at is null`
  return row ?? null
}

/** The oldest model in the library that stands for the same bytes. */
export async function findModelByBytes(sql: Queryable, sha256: string): Promise<string | null> {
  const [row] = await sql<{ id: string }[]>`
    select f.id from stl_files f join stl_versions v on v.id = f.current_version_id
    where v.sha256 = ${sha256} and f.deleted_at is null
    order by f.created_at, f.id limit 1`
  return row?.id ?? null
}

export interface NewModel {
  id: string
  versionId: string
  title: string
  description: string | null
  tags: readonly string[]
  licenseType: LicenseType
  attributionUrl: string | null
  printMaterial: string | null
  printNotes: string | null
  suggestedFields: readonly string[]
  duplicateOf: string | null
  fileName: string
  sizeBytes: number
  sha256: string
  objectKey: string
  encoding: 'binary' | 'ascii'
  triangles: number
  warnings: readonly Warning[]
  uploadedBy: string
  now: Date
}

export async function insertModel(tx: Queryable, model: NewModel): Promise<void> {
  await tx`
    insert into stl_files (id, title, description, tags, license_type, attribution_url, print_material, print_notes,
                           suggested_fields, duplicate_of, current_version_id, created_at, updated_at)
    values (${model.id}, ${model.title}, ${model.description}, ${[...model.tags]}, ${model.licenseType},
            ${model.attributionUrl}, ${model.printMaterial}, ${model.printNotes}, ${[...model.suggestedFields]},
            ${model.duplicateOf}, ${model.versionId}, ${model.now}, ${model.now})`
  await tx`
    insert into stl_versions (id, stl_file_id, number, file_name, file_size, sha256, object_key, format, encoding,
                              triangles, warnings, uploaded_by, created_at)
    values (${model.versionId}, ${model.id}, 1, ${model.fileName}, ${model.sizeBytes}, ${model.sha256},
            ${model.objectKey}, 'stl', ${model.encoding}, ${model.triangles}, ${tx.json([...model.warnings] as never)},
            ${model.uploadedBy}, ${model.now})`
}

/** Holds everybody else off who adds, copies, judges or removes the same bytes, until the transaction ends. */
export async function lockBytes(tx: Queryable, sha256: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`stl-bytes:${sha256}`}, 0))`
}

/** Gives a new version what is known of the same bytes. Answers whether it was measured and drawn before. */
export async function copyAnalysis(tx: Queryable, versionId: string, sha256: string): Promise<boolean> {
  const copied = await tx`
    update stl_versions v
    set triangles = twin.triangles, bounding_box_mm = twin.bounding_box_mm, volume_mm3 = twin.volume_mm3,
        surface_area_mm2 = twin.surface_area_mm2, is_watertight = twin.is_watertight, shells = twin.shells,
        warnings = twin.warnings, thumbnail_key = twin.thumbnail_key, analysis_status = 'done'
    from (select * from stl_versions
          where sha256 = ${sha256} and analysis_status = 'done' and thumbnail_key is not null
          order by created_at desc limit 1) twin
    where v.id = ${versionId}
    returning 1`
  return copied.length > 0
}

/** How many models of this account wait to be measured. */
export async function countWaiting(tx: Queryable, accountId: string): Promise<number> {
  const [row] = await tx<[{ waiting: number }]>`
    select count(*)::int as waiting from stl_versions
    where uploaded_by = ${accountId} and analysis_status = 'pending'`
  return row.waiting
}

/** Those of the keys that a version still stands for. */
export async function findKeysInUse(sql: Queryable, keys: readonly string[]): Promise<Set<string>> {
  const rows = await sql<{ key: string }[]>`
    select object_key as key from stl_versions where object_key = any(${[...keys]})
    union select thumbnail_key from stl_versions where thumbnail_key = any(${[...keys]})`
  return new Set(rows.map((row) => row.key))
}

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
