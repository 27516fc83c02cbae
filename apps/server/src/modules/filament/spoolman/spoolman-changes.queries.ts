import type { Insert, Row, Update } from '../../../platform/database/column-types.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { insertInto, updateRevised } from '../../../platform/database/write-rows.ts'

export type VendorColumns = Pick<
  Update<'vendors'>,
  'name' | 'spool_weight_grams' | 'comment' | 'external_id' | 'extra'
>

export type FilamentColumns = Pick<
  Update<'filaments'>,
  | 'vendor_id'
  | 'name'
  | 'material'
  | 'color'
  | 'color_hex'
  | 'multi_color_hexes'
  | 'multi_color_direction'
  | 'diameter_mm'
  | 'density_g_cm3'
  | 'weight_grams'
  | 'spool_weight_grams'
  | 'price_minor'
  | 'nozzle_temp_c'
  | 'bed_temp_c'
  | 'article_number'
  | 'comment'
  | 'external_id'
  | 'extra'
>

/**
 * Inserts a vendor and returns the number by which programs refer to it. The database throws VENDOR_TAKEN.
 */
export async function insertVendor(tx: Queryable, vendor: Insert<'vendors'>): Promise<number> {
  const [row] = await tx<[{ number: number }]>`${insertInto(tx, 'vendors', vendor)} returning number`
  return row.number
}

/** Inserts a filament and returns its number for programs. The database throws FILAMENT_TAKEN. */
export async function insertFilament(tx: Queryable, filament: Insert<'filaments'>): Promise<number> {
  const [row] = await tx<[{ number: number }]>`${insertInto(tx, 'filaments', filament)} returning number`
  return row.number
}

/** Updates a vendor. The database throws VENDOR_TAKEN. */
export const updateVendorRow = (tx: Queryable, id: string, columns: Update<'vendors'>, now: Date) =>
  updateRevised(tx, 'vendors', id, columns, now)

/** Updates a filament. The database throws FILAMENT_TAKEN. */
export const updateFilamentRow = (tx: Queryable, id: string, columns: Update<'filaments'>, now: Date) =>
  updateRevised(tx, 'filaments', id, columns, now)

/**
 * Locks a vendor or a filament until the transaction ends, so that no new row can refer to it in the meantime. Returns
 * its id, or null if it does not exist.
 */
export async function lockByNumber(
  tx: Queryable,
  table: 'vendors' | 'filaments',
  number: number,
): Promise<Row<'vendors' | 'filaments', 'id'> | null> {
  const [row] = await tx<Row<'vendors' | 'filaments', 'id'>[]>`
    select id from ${{ vendors: tx`vendors`, filaments: tx`filaments` }[table]}
    where number = ${number} and deleted_at is null for update`
  return row ?? null
}

/**
 * Returns whether spools use the filament. Spools in the trash do not count, because restoring such a spool
 * restores its filament.
 */
export async function isFilamentInUse(tx: Queryable, id: string): Promise<boolean> {
  const [row] = await tx`select 1 from spools where filament_id = ${id} and deleted_at is null limit 1`
  return row !== undefined
}

export async function clearVendor(tx: Queryable, vendorId: string, now: Date): Promise<void> {
  await tx`
    update filaments set vendor_id = null, updated_at = ${now}, revision = revision + 1
    where vendor_id = ${vendorId} and deleted_at is null`
}

/** Returns the ids of the spools that show texts of the vendor or the filament. */
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
  material: (sql: Queryable) =>
    sql`select nullif(material, 'Unknown') as word from filaments where deleted_at is null`,
  article_number: (sql: Queryable) =>
    sql`select article_number as word from filaments where deleted_at is null`,
  lot_number: (sql: Queryable) => sql`select lot_number as word from spools where deleted_at is null`,
  location: (sql: Queryable) => sql`
    select l.path as word from spools s join locations l on l.id = s.location_id where s.deleted_at is null`,
} as const
export type WordKind = keyof typeof WORDS

/** Lists the distinct values of a field, in alphabetical order. */
export async function listDistinctValues(sql: Queryable, kind: WordKind): Promise<string[]> {
  const rows = await sql<{ word: string }[]>`
    select distinct word from (${WORDS[kind](sql)}) words where word <> '' order by word`
  return rows.map(({ word }) => word)
}

/**
 * Moves all spools of a location to another location, or to no location if it is null. This includes archived
 * spools. Returns their ids.
 */
export async function moveSpools(
  tx: Queryable,
  { from, locationId, now }: { from: string; locationId: string | null; now: Date },
): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    update spools s set location_id = ${locationId}, revision = s.revision + 1, updated_at = ${now}
    from locations l where l.id = s.location_id and l.path = ${from} and s.deleted_at is null
    returning s.id`
  return rows.map(({ id }) => id)
}

/** Replaces a value of an extra field in all spools, including archived ones. Both values are JSON text. */
export async function replaceExtraValue(
  tx: Queryable,
  { key, from, to, now }: { key: string; from: string; to: string; now: Date },
): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    update spools set extra = jsonb_set(extra, array[${key}::text], to_jsonb(${to}::text)), revision = revision + 1,
                      updated_at = ${now}
    where (extra ->> ${key}::text)::jsonb = ${from}::text::jsonb and deleted_at is null
    returning id`
  return rows.map(({ id }) => id)
}
