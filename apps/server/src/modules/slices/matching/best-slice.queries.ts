import type { Row } from '../../../platform/database/column-types.ts'
import { firstRow } from '../../../platform/database/first-row.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import type { Fragment } from '../../../platform/database/search-patterns.ts'

/** The filament that a tool uses for a plate. */
export interface SliceTool {
  /** Number of the tool, counted from 0 as in G-code. */
  tool: number
  material: string | null
  /** The color as `#rrggbb`. */
  color_hex: string | null
  grams: number | null
  metres: number | null
}

/** Columns that identify a sliced file and its bytes. */
export type FileColumn =
  | 'id'
  | 'stl_file_id'
  | 'stl_version_id'
  | 'object_key'
  | 'file_name'
  | 'file_size'
  | 'sha256'

/** A plate of a sliced file, with its bytes and its figures. */
export interface PrintableSlice
  extends Row<
    'printable_slices',
    FileColumn | 'format' | 'plate' | 'printer_model' | 'material' | 'minutes' | 'pieces'
  > {
  nozzle_mm: number | null
  tools: SliceTool[]
  grams: number | null
  metres: number | null
}

/** The requirements that a printer has for a sliced file. */
export interface SliceCriteria {
  versionId: string
  /**
   * Model of the printer. Case, punctuation and the name of a known manufacturer before the model are ignored. A file
   * without a printer model fits every model. Null matches only such files.
   */
  printerModel: string | null
  /** Null accepts any nozzle. A file without a nozzle fits every nozzle. */
  nozzleMm: number | null
  /** Formats that the printer can read. Null accepts any format. */
  fileTypes: readonly string[] | null
  /** Material that a tool must print. Null accepts any material. */
  material?: string | null
  /** The materials that the printer has, in lower case. Null means that they are unknown. */
  materials?: readonly string[] | null
}

/**
 * Returns the SQL condition that a tool of the slice `f` prints a material. A slice without tools, or with a tool of an
 * unknown material, also fits. Tools without filament do not count.
 */
export const isOfMaterial = (sql: Queryable, material: Fragment): Fragment => sql`(
  ${material} is null or jsonb_array_length(f.tools) = 0 or exists (
    select from jsonb_array_elements(f.tools) t
    where (t ->> 'grams' is null or (t ->> 'grams')::numeric <> 0)
      and (t ->> 'material' is null or lower(trim(t ->> 'material')) = lower(trim(${material})))))`

/**
 * Returns the SQL condition that a printer with these materials (in lower case) has the material of each used tool of
 * the slice `f`. A tool of an unknown material fits. Null means that the materials are unknown, so every slice fits.
 */
export const usesOnly = (sql: Queryable, materials: readonly string[] | null): Fragment =>
  materials === null
    ? sql`true`
    : sql`not exists (
        select from jsonb_array_elements(f.tools) t
        where (t ->> 'grams' is null or (t ->> 'grams')::numeric <> 0)
          and lower(trim(t ->> 'material')) <> all (${[...materials]}::text[]))`

/**
 * Finds the sliced file of a version that fits a printer best. Files for the printer's model come before files without
 * a model, files for its nozzle before files without a nozzle, then the newest file, then the first plate. Returns null
 * if none fits. Files of another version never fit.
 */
export const findBestSlice = (
  sql: Queryable,
  { versionId, printerModel, nozzleMm, fileTypes, material = null, materials = null }: SliceCriteria,
) =>
  firstRow(sql<PrintableSlice[]>`
    select id, stl_file_id, stl_version_id, object_key, file_name, file_size, sha256, format, plate, printer_model,
           nozzle_mm::float8 as nozzle_mm, material, tools, grams::float8 as grams, metres::float8 as metres, minutes,
           pieces
    from printable_slices f
    where stl_version_id = ${versionId} and deleted_at is null
      and (printer_model_key is null or printer_model_key = printer_model_key(${printerModel}::text))
      and (nozzle_mm is null or ${nozzleMm}::numeric is null or nozzle_mm = ${nozzleMm}::numeric)
      and (${fileTypes && [...fileTypes]}::text[] is null or format = any(${fileTypes && [...fileTypes]}::text[]))
      and ${isOfMaterial(sql, sql`${material}::text`)} and ${usesOnly(sql, materials)}
    order by printer_model_key is null, nozzle_mm is null, created_at desc, plate, id
    limit 1`)
