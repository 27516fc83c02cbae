import type { LicenseType } from '@pegasus/contracts/licenses'
import type { MeshWarning } from '@pegasus/mesh/stl-types'
import type { Queryable } from '../../platform/database/database.ts'
import { COUNT_CAP, type Cursor } from '../../platform/http/paging.ts'

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
  search?: string | undefined
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

/** A word as a LIKE pattern in which nothing but our own percent signs is special. */
const containing = (word: string): string => `%${word.replace(/[\\%_]/g, '\\$&')}%`

/** Each word must occur somewhere in the title or the description. */
function matching(sql: Queryable, filter: ModelFilter) {
  const words = filter.search?.split(/\s+/).filter((word) => word !== '') ?? []
  const everyWord = words.map((word) => {
    const pattern = containing(word)
    return sql`and (f.title ilike ${pattern} or f.description ilike ${pattern})`
  })
  return sql`
    f.deleted_at is null
    ${everyWord.reduce((all, next) => sql`${all} ${next}`, sql``)}
    ${filter.tags.length > 0 ? sql`and f.tags @> ${[...filter.tags]}` : sql``}
    ${filter.licenseType ? sql`and f.license_type = ${filter.licenseType}` : sql``}`
}

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

export interface VersionToAnalyse {
  id: string
  object_key: string
  sha256: string
  warnings: MeshWarning[]
}

export async function findVersionToAnalyse(sql: Queryable, id: string): Promise<VersionToAnalyse | null> {
  const [row] = await sql<VersionToAnalyse[]>`
    select id, object_key, sha256, warnings from stl_versions where id = ${id} and analysis_status = 'pending'`
  return row ?? null
}

export interface Analysis {
  triangles: number
  boundingBoxMm: BoundingBox
  volumeMm3: number | null
  surfaceAreaMm2: number
  isWatertight: boolean
  shells: number
  warnings: readonly Warning[]
  thumbnailKey: string
}

/** Keeps what was measured, once. Answers the model, or null where the version had been judged before. */
export async function saveAnalysis(
  tx: Queryable,
  versionId: string,
  analysis: Analysis,
): Promise<string | null> {
  const [row] = await tx<{ stl_file_id: string }[]>`
    update stl_versions
    set triangles = ${analysis.triangles}, bounding_box_mm = ${tx.json(analysis.boundingBoxMm as never)},
        volume_mm3 = ${analysis.volumeMm3}, surface_area_mm2 = ${analysis.surfaceAreaMm2},
        is_watertight = ${analysis.isWatertight}, shells = ${analysis.shells},
        warnings = ${tx.json([...analysis.warnings] as never)}, thumbnail_key = ${analysis.thumbnailKey},
        analysis_status = 'done'
    where id = ${versionId} and analysis_status = 'pending'
    returning stl_file_id`
  return row?.stl_file_id ?? null
}

/** The same for a model that could not be measured. */
export async function saveAnalysisFailure(
  tx: Queryable,
  versionId: string,
  warning: Warning,
): Promise<string | null> {
  const [row] = await tx<{ stl_file_id: string }[]>`
    update stl_versions
    set analysis_status = 'failed', warnings = warnings || ${tx.json([warning] as never)}
    where id = ${versionId} and analysis_status = 'pending'
    returning stl_file_id`
  return row?.stl_file_id ?? null
}
