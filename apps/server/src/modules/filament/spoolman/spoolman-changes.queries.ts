import type { Queryable } from '../../../platform/database/database.ts'

export interface VendorColumns {
  name?: string
  spool_weight_grams?: number | null
  comment?: string | null
  external_id?: string | null
}

export interface FilamentColumns {
  vendor_id?: string | null
  name?: string
  material?: string
  color?: string
  color_hex?: string | null
  multi_color_hexes?: string[] | null
  multi_color_direction?: 'coaxial' | 'longitudinal' | null
  diameter_mm?: number
  density_g_cm3?: number
  weight_grams?: number
  spool_weight_grams?: number | null
  price_minor?: number | null
  nozzle_temp_c?: number | null
  bed_temp_c?: number | null
  article_number?: string | null
  comment?: string | null
  external_id?: string | null
}

type Columns = { vendors: VendorColumns; filaments: FilamentColumns }

/** Throws (from the database) VENDOR_TAKEN or FILAMENT_TAKEN. Answers the whole number by which programs know it. */
export async function insertInto<T extends keyof Columns>(
  tx: Queryable,
  table: T,
  columns: Columns[T] & { id: string },
  now: Date,
): Promise<number> {
  const row = { ...columns, created_at: now, updated_at: now }
  const [made] = await tx<[{ number: number }]>`
    insert into ${tx(table as string)} ${tx(row as unknown as Record<string, string>)} returning number`
  return made.number
}

/** Throws (from the database) VENDOR_TAKEN or FILAMENT_TAKEN. */
export async function updateIn<T extends keyof Columns>(
  tx: Queryable,
  table: T,
  id: string,
  columns: Columns[T] & { deleted_at?: Date },
  now: Date,
): Promise<void> {
  const row = { ...columns, updated_at: now }
  await tx`
    update ${tx(table as string)} set ${tx(row as unknown as Record<string, string>)}, revision = revision + 1
    where id = ${id}`
}

/** Holds it until the transaction ends, so that nobody begins to use it meanwhile; null if it is not there. */
export async function lockByNumber(
  tx: Queryable,
  table: keyof Columns,
  number: number,
): Promise<{ id: string } | null> {
  const [row] = await tx<{ id: string }[]>`
    select id from ${tx(table)} where number = ${number} and deleted_at is null for update`
  return row ?? null
}

/** Whether spools are of it that are there, or may come back from the bin. */
export async function isFilamentInUse(tx: Queryable, id: string, binnedSince: Date): Promise<boolean> {
  const [row] = await tx`
    select 1 from spools where filament_id = ${id} and (deleted_at is null or deleted_at > ${binnedSince}) limit 1`
  return row !== undefined
}

export async function clearVendor(tx: Queryable, vendorId: string, now: Date): Promise<void> {
  await tx`
    update filaments set vendor_id = null, updated_at = ${now}, revision = revision + 1
    where vendor_id = ${vendorId} and deleted_at is null`
}

/** Spools that show something else when the vendor or the filament changes. */
export async function spoolsOf(
  tx: Queryable,
  of: { vendorId: string } | { filamentId: string },
): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    select s.id from spools s join filaments f on f.id = s.filament_id
    where s.deleted_at is null
      and ${'vendorId' in of ? tx`f.vendor_id = ${of.vendorId}` : tx`f.id = ${of.filamentId}`}`
  return rows.map(({ id }) => id)
}

const WORDS = {
  material: (sql: Queryable) => sql`select material as word from filaments where deleted_at is null`,
  article_number: (sql: Queryable) =>
    sql`select article_number as word from filaments where deleted_at is null`,
  lot_number: (sql: Queryable) => sql`select lot_number as word from spools where deleted_at is null`,
  location: (sql: Queryable) => sql`
    select l.path as word from spools s join locations l on l.id = s.location_id where s.deleted_at is null`,
} as const
export type WordKind = keyof typeof WORDS

/** Each once, by the alphabet. */
export async function listDistinctValues(sql: Queryable, kind: WordKind): Promise<string[]> {
  const rows = await sql<{ word: string }[]>`
    select distinct word from (${WORDS[kind](sql)}) words where word <> '' order by word`
  return rows.map(({ word }) => word)
}
