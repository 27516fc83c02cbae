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
    FileColumn | 'format' | 'plate' | 'printer_model' | 'material' | 'minutes'
  > {
  pieces: number
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
  /** Width, depth and height of the printer's bed. If it is unknown, the beds of the files do not matter. */
  bedMm?: readonly number[] | null
  /** Width, depth and height of the model. If they are unknown, the model fits on every bed. */
  modelMm?: readonly number[] | null
  /** Formats that the printer can read. Null accepts any format. */
  fileTypes: readonly string[] | null
  /** Material that a tool must print. Null accepts any material. */
  material?: string | null
  /** The materials that the printer has, in lower case. Null if they are unknown. */
  materials?: readonly string[] | null
  /** Whether to consider files of which one piece needs all plates. Only a person can print such files. */
  isByHand?: boolean
}

/**
 * Returns the SQL condition that the slice `f` can be for this material: a used tool has this material or no known
 * material, or the slice has no tools. Tools that use no filament are ignored.
 */
export const isOfMaterial = (sql: Queryable, material: Fragment): Fragment => sql`(
  ${material} is null or jsonb_array_length(f.tools) = 0 or exists (
    select from jsonb_array_elements(f.tools) t
    where (t ->> 'grams' is null or (t ->> 'grams')::numeric <> 0)
      and (t ->> 'material' is null or lower(trim(t ->> 'material')) = lower(trim(${material})))))`

/**
 * Returns the SQL condition that a printer with these materials (in lower case) has the material of each used tool of
 * the slice `f`. A tool without a known material always fits. If `materials` is null, every slice fits.
 */
export const usesOnly = (sql: Queryable, materials: readonly string[] | null): Fragment =>
  materials === null
    ? sql`true`
    : sql`not exists (
        select from jsonb_array_elements(f.tools) t
        where (t ->> 'grams' is null or (t ->> 'grams')::numeric <> 0)
          and lower(trim(t ->> 'material')) <> all (${[...materials]}::text[]))`

/**
 * Returns the SQL condition that this size fits on the bed, possibly rotated by 90 degrees. Tolerates a measuring error
 * of 0.1 mm. An unknown height fits.
 */
export const fitsBed = (
  sql: Queryable,
  size: Fragment,
  [width = 0, depth = 0, height = 0]: readonly number[],
): Fragment => sql`
  (greatest((${size} ->> 0)::float8, (${size} ->> 1)::float8) - 0.1 <= ${Math.max(width, depth)}::float8
    and least((${size} ->> 0)::float8, (${size} ->> 1)::float8) - 0.1 <= ${Math.min(width, depth)}::float8
    and coalesce((${size} ->> 2)::float8, 0) - 0.1 <= ${height}::float8)`

/** The model and the bed of a printer, which decide which sliced file suits it best. */
type PrinterOfSlice = Pick<SliceCriteria, 'bedMm' | 'printerModel'>

/**
 * Returns the SQL condition that the slice `f` was made for a bed that is not larger than this one, so that its parts
 * also fit in height. A file that does not contain its bed fits if it is made for the model of the printer.
 */
export const isPlacedOn = (
  sql: Queryable,
  { bedMm, printerModel }: { bedMm: readonly number[]; printerModel: string | null },
): Fragment => sql`
  (case when f.bed_mm is null then coalesce(f.printer_model_key = printer_model_key(${printerModel}::text), false)
        else ${fitsBed(sql, sql`f.bed_mm`, bedMm)} end)`

/**
 * Returns the SQL condition that parts of the slice `f` could lie beside the bed or reach above it: the model itself
 * does not fit on the bed, and the slice was not made for a bed of this size.
 */
const isMisplaced = (
  sql: Queryable,
  { bedMm, modelMm, printerModel }: PrinterOfSlice & Pick<SliceCriteria, 'modelMm'>,
): Fragment =>
  bedMm && modelMm
    ? sql`(not ${fitsBed(sql, sql`${sql.json([...modelMm])}::jsonb`, bedMm)} and not ${isPlacedOn(sql, { bedMm, printerModel })})`
    : sql`false::boolean`

/**
 * Returns the SQL for whether the bed of the slice `f` fits on a bed in width and depth: 0 if it does, 1 if the file
 * does not contain its bed, 2 if it is larger, so that parts could lie beside the bed.
 */
const bedRank = (sql: Queryable, { bedMm, printerModel }: PrinterOfSlice): Fragment =>
  bedMm
    ? sql`
  case when f.bed_mm is not null then case when ${fitsBed(sql, sql`(f.bed_mm - 2)`, bedMm)} then 0 else 2 end
       when f.printer_model_key = printer_model_key(${printerModel}::text) then 0 else 1 end`
    : sql`0::integer`

/** Returns the SQL for the difference between the areas of the slice `f`'s bed and a bed, in whole percent. */
function bedDistance(sql: Queryable, { bedMm }: PrinterOfSlice): Fragment {
  if (!bedMm) return sql`0::float8`
  const [width = 0, depth = 0] = bedMm
  const area = sql`${Math.max(1, width * depth)}::float8`
  return sql`coalesce(floor(100 * abs((f.bed_mm ->> 0)::float8 * (f.bed_mm ->> 1)::float8 - ${area}) / ${area}), 0)`
}

/**
 * Returns the SQL order of the slices `f` for a printer, best first. The first key that differs decides:
 * 1. If the model itself does not fit on the bed, files whose parts are placed on such a bed come first.
 * 2. Files for the model of the printer come first.
 * 3. Files whose bed fits come first, and among them those whose bed is closest in size.
 * 4. Files that name their nozzle come first.
 * 5. Newer files come first, and the plates of one file by number.
 *
 * `chooseFile` of the module `print-queue` is the same rule for files in memory.
 */
const sliceOrder = (
  sql: Queryable,
  printer: PrinterOfSlice & Pick<SliceCriteria, 'modelMm'>,
): Fragment => sql`
  ${isMisplaced(sql, printer)}, f.printer_model_key is distinct from printer_model_key(${printer.printerModel}::text), ${bedRank(sql, printer)},
  ${bedDistance(sql, printer)}, f.nozzle_mm is null, f.created_at desc, f.plate, f.id`

/**
 * Finds the sliced file of a version that suits a printer best, in the order of `sliceOrder`. Returns null if none
 * fits.
 */
export const findBestSlice = (sql: Queryable, criteria: SliceCriteria) => {
  const {
    versionId,
    printerModel,
    nozzleMm,
    fileTypes,
    material = null,
    materials = null,
    isByHand = false,
  } = criteria
  return firstRow(sql<PrintableSlice[]>`
    select id, stl_file_id, stl_version_id, object_key, file_name, file_size, sha256, format, plate, printer_model,
           nozzle_mm::float8 as nozzle_mm, material, tools, grams::float8 as grams, metres::float8 as metres, minutes,
           pieces
    from printable_slices f
    where stl_version_id = ${versionId} and deleted_at is null
      and (printer_model_key is null or printer_model_key = printer_model_key(${printerModel}::text))
      and (nozzle_mm is null or ${nozzleMm}::numeric is null or nozzle_mm = ${nozzleMm}::numeric)
      and (${fileTypes && [...fileTypes]}::text[] is null or format = any(${fileTypes && [...fileTypes]}::text[]))
      and (${isByHand} or plates_per_print = 1)
      and ${isOfMaterial(sql, sql`${material}::text`)} and ${usesOnly(sql, materials)}
    order by ${sliceOrder(sql, criteria)}
    limit 1`)
}
