import { v7 as uuidv7 } from 'uuid'
import type { Floats, Insert, Row, Update } from '../../../platform/database/column-types.ts'
import { firstRow } from '../../../platform/database/first-row.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { insertInto, updateTable, updateRevised } from '../../../platform/database/write-rows.ts'

/** Finds the vendor with this name, or creates it. */
export async function ensureVendor(tx: Queryable, name: string, now: Date): Promise<string> {
  // The update changes no value. Without it, the statement would not return a vendor that already exists.
  const [row] = await tx<[{ id: string }]>`
    insert into vendors (id, name, created_at, updated_at) values (${uuidv7()}, ${name}, ${now}, ${now})
    on conflict (lower(name)) where deleted_at is null do update set name = vendors.name
    returning id`
  return row.id
}

/** The fields that together identify a filament. */
export type FilamentIdentity = Row<'filaments', 'vendor_id' | 'name' | 'material' | 'color'> &
  Floats<'filaments', 'diameter_mm' | 'weight_grams'>

/** The other fields of a filament, which apply to all its spools. */
export type FilamentDetails = Row<
  'filaments',
  'color_hex' | 'nozzle_temp_c' | 'bed_temp_c' | 'drying_interval_days'
> &
  Floats<'filaments', 'density_g_cm3' | 'spool_weight_grams' | 'low_stock_grams'>

/** Finds the filament with these identifying fields, or creates it with these other fields. */
export async function ensureFilament(
  tx: Queryable,
  identity: FilamentIdentity,
  facts: FilamentDetails,
  now: Date,
): Promise<string> {
  const row = { id: uuidv7(), ...identity, ...facts, created_at: now, updated_at: now }
  const [made] = await tx<[{ id: string }]>`
    ${insertInto(tx, 'filaments', row)}
    on conflict (vendor_id, lower(material), lower(name), lower(color), diameter_mm, weight_grams)
      where deleted_at is null
    do update set name = filaments.name
    returning id`
  return made.id
}

/** Sets the given fields of a filament. Missing fields stay unchanged. */
export async function correctFilament(
  tx: Queryable,
  id: string,
  details: Partial<FilamentDetails>,
  now: Date,
): Promise<void> {
  if (Object.keys(details).length === 0) return
  await tx`
    ${updateTable(tx, 'filaments', { ...details, updated_at: now })}, revision = revision + 1 where id = ${id}`
}

export async function findFilamentDetails(sql: Queryable, id: string): Promise<FilamentDetails> {
  const [row] = await sql<[FilamentDetails]>`
    select color_hex, density_g_cm3::float8, spool_weight_grams::float8, nozzle_temp_c, bed_temp_c,
           low_stock_grams::float8, drying_interval_days
    from filaments where id = ${id}`
  return row
}

/**
 * Changes the spelling of a filament and its vendor. Names that differ only in upper or lower case are treated as
 * equal.
 */
export async function spellFilament(
  tx: Queryable,
  id: string,
  words: { brand: string | null; material: string; name: string; color: string },
  now: Date,
): Promise<void> {
  await tx`
    update filaments set material = ${words.material}, name = ${words.name}, color = ${words.color},
                         updated_at = ${now}
    where id = ${id}`
  if (words.brand !== null)
    await tx`
      update vendors set name = ${words.brand}, updated_at = ${now}
      where id = (select vendor_id from filaments where id = ${id}) and name <> ${words.brand}`
}

/**
 * Deletes a filament that no spool uses, not even a spool in the trash. Such a filament is usually a typing error that
 * was corrected.
 */
export async function removeUnusedFilament(tx: Queryable, id: string, now: Date): Promise<void> {
  // Use a separate statement: a request that adds a spool locks the filament, and its spool is visible only
  // to statements that begin after its commit.
  await tx`select 1 from filaments where id = ${id} for update`
  await tx`
    update filaments set deleted_at = ${now}
    where id = ${id} and not exists (select from spools where filament_id = ${id})`
}

/** A filament with the fields that identify it, and with its vendor. */
export type KnownFilament = FilamentIdentity & {
  deleted_at: string | null
  vendor_name: string | null
  vendor_deleted_at: string | null
}

/** Returns a filament, even if it was removed. */
export async function getKnownFilament(tx: Queryable, id: string): Promise<KnownFilament> {
  const [row] = await tx<[KnownFilament]>`
    select f.vendor_id, f.name, f.material, f.color, f.diameter_mm::float8, f.weight_grams::float8, f.deleted_at,
           v.name as vendor_name, v.deleted_at as vendor_deleted_at
    from filaments f left join vendors v on v.id = f.vendor_id where f.id = ${id}`
  return row
}

/** Returns the id of the filament that these fields identify, or null. */
export async function findEqualFilament(tx: Queryable, identity: FilamentIdentity): Promise<string | null> {
  const [row] = await tx<{ id: string }[]>`
    select id from filaments
    where vendor_id is not distinct from ${identity.vendor_id} and lower(material) = lower(${identity.material})
      and lower(name) = lower(${identity.name}) and lower(color) = lower(${identity.color})
      and diameter_mm = ${identity.diameter_mm} and weight_grams = ${identity.weight_grams} and deleted_at is null`
  return row?.id ?? null
}

/** Restores a removed filament. The database throws FILAMENT_TAKEN. */
export async function undeleteFilament(
  tx: Queryable,
  id: string,
  { vendorId, now }: { vendorId: string | null; now: Date },
): Promise<void> {
  await tx`
    update filaments set deleted_at = null, vendor_id = ${vendorId}, updated_at = ${now}, revision = revision + 1
    where id = ${id}`
}

export async function insertSpool(tx: Queryable, spool: Insert<'spools'>): Promise<number> {
  const [row] = await tx<[{ number: number }]>`${insertInto(tx, 'spools', spool)} returning number`
  return row.number
}

/**
 * A locked spool, with the filament fields that are needed to change it. `tare_grams` is the best known weight of the
 * empty spool.
 */
export interface SpoolToChange
  extends Row<'spools', 'id' | 'filament_id' | 'archived_at' | 'revision'>,
    Floats<'spools', 'remaining_grams' | 'weight_grams'>,
    Floats<'filaments', 'density_g_cm3' | 'diameter_mm'> {
  tare_grams: number | null
}

const spoolToChange = (sql: Queryable) => sql`
  select s.id, s.filament_id, s.remaining_grams::float8, s.weight_grams::float8,
         coalesce(s.spool_weight_grams, f.spool_weight_grams, v.spool_weight_grams)::float8 as tare_grams,
         f.density_g_cm3::float8, f.diameter_mm::float8, s.archived_at, s.revision
  from spools s
  join filaments f on f.id = s.filament_id
  left join vendors v on v.id = f.vendor_id`

/**
 * Waits until other changes of a spool have ended. The caller must read the spool in a second statement. If one
 * statement waited and joined, it would combine the changed spool with its old filament and location, or find no row if
 * they no longer match.
 */
async function waitForSpool(tx: Queryable, id: string): Promise<void> {
  await tx`select 1 from spools where id = ${id} for update`
}

/** Locks a spool until the transaction ends, and returns it. Returns null if it does not exist or is deleted. */
export async function lockSpool(tx: Queryable, id: string): Promise<SpoolToChange | null> {
  await waitForSpool(tx, id)
  const [row] = await tx<SpoolToChange[]>`${spoolToChange(tx)} where s.id = ${id} and s.deleted_at is null`
  return row ?? null
}

/** Locks a spool that is in use, or that was deleted after `since`. Returns it with the path of its location. */
export async function lockSpoolOrTrashed(
  tx: Queryable,
  id: string,
  since: Date,
): Promise<{ deleted_at: string | null; filament_id: string; location: string | null } | null> {
  await waitForSpool(tx, id)
  return firstRow(tx<{ deleted_at: string | null; filament_id: string; location: string | null }[]>`
    select s.deleted_at, s.filament_id, l.path as location
    from spools s left join locations l on l.id = s.location_id
    where s.id = ${id} and (s.deleted_at is null or s.deleted_at > ${since})`)
}

/** The fields of a spool that people can change. Missing fields stay unchanged. */
export type SpoolChange = Pick<
  Update<'spools'>,
  | 'filament_id'
  | 'weight_grams'
  | 'spool_weight_grams'
  | 'price_minor'
  | 'location_id'
  | 'lot_number'
  | 'opened_at'
  | 'dried_at'
  | 'archived_at'
  | 'notes'
  | 'deleted_at'
  | 'last_used_at'
  | 'extra'
>

export const updateSpoolRow = (tx: Queryable, id: string, change: SpoolChange, now: Date) =>
  updateRevised(tx, 'spools', id, change, now)
