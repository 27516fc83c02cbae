import { v7 as uuidv7 } from 'uuid'
import type { Queryable } from '../../../platform/database/database.ts'

/** The vendor of a name, made where it is missing. */
export async function ensureVendor(tx: Queryable, name: string, now: Date): Promise<string> {
  // An update that changes nothing, so that the row comes back in either case.
  const [row] = await tx<[{ id: string }]>`
    insert into vendors (id, name, created_at, updated_at) values (${uuidv7()}, ${name}, ${now}, ${now})
    on conflict (lower(name)) where deleted_at is null do update set name = vendors.name
    returning id`
  return row.id
}

/** What makes a filament this one and no other. */
export interface FilamentIdentity {
  vendor_id: string | null
  name: string
  material: string
  color: string
  diameter_mm: number
  weight_grams: number
}

/** What is known of a filament beside that; it holds for all its spools. */
export interface FilamentDetails {
  color_hex: string | null
  density_g_cm3: number
  spool_weight_grams: number | null
  nozzle_temp_c: number | null
  bed_temp_c: number | null
  low_stock_grams: number | null
  drying_interval_days: number | null
}

/** The filament that is sold under these words in this size; made with these facts where it is missing. */
export async function ensureFilament(
  tx: Queryable,
  identity: FilamentIdentity,
  facts: FilamentDetails,
  now: Date,
): Promise<string> {
  const row = { id: uuidv7(), ...identity, ...facts, created_at: now, updated_at: now }
  const [made] = await tx<[{ id: string }]>`
    insert into filaments ${tx(row as unknown as Record<string, string>)}
    on conflict (vendor_id, lower(material), lower(name), lower(color), diameter_mm, weight_grams)
      where deleted_at is null
    do update set name = filaments.name
    returning id`
  return made.id
}

/** Sets what is told of a filament; what is left out stays. */
export async function correctFilament(
  tx: Queryable,
  id: string,
  told: Partial<FilamentDetails>,
  now: Date,
): Promise<void> {
  if (Object.keys(told).length === 0) return
  await tx`
    update filaments set ${tx({ ...told, updated_at: now } as unknown as Record<string, string>)},
                         revision = revision + 1
    where id = ${id}`
}

export async function findFilamentDetails(sql: Queryable, id: string): Promise<FilamentDetails> {
  const [row] = await sql<[FilamentDetails]>`
    select color_hex, density_g_cm3::float8, spool_weight_grams::float8, nozzle_temp_c, bed_temp_c,
           low_stock_grams::float8, drying_interval_days
    from filaments where id = ${id}`
  return row
}

/** Writes the words of a filament and its vendor as they are told; by case alone they are the same as before. */
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

/** A filament that no spool is of any more, be it in the bin, was a slip of the pen. */
export async function removeUnusedFilament(tx: Queryable, id: string, now: Date): Promise<void> {
  // A question of its own: whoever adds a spool holds the filament, and what they added is seen only by what begins
  // after they let go of it.
  await tx`select 1 from filaments where id = ${id} for update`
  await tx`
    update filaments set deleted_at = ${now}
    where id = ${id} and not exists (select from spools where filament_id = ${id})`
}

export interface SpoolColumns {
  id: string
  filament_id: string
  weight_grams: number
  spool_weight_grams: number | null
  price_minor: number | null
  location_id: string | null
  lot_number: string | null
  opened_at: Date | null
  dried_at: Date | null
  archived_at: Date | null
  notes: string | null
  created_at: Date
  updated_at: Date
}

export async function insertSpool(tx: Queryable, spool: SpoolColumns): Promise<number> {
  const [row] = await tx<[{ number: number }]>`
    insert into spools ${tx(spool as unknown as Record<string, string>)} returning number`
  return row.number
}

/** A spool that is to change, with what counts of its filament. `tare_grams` is the nearest that anybody knows. */
export interface SpoolToChange {
  id: string
  filament_id: string
  remaining_grams: number
  weight_grams: number
  tare_grams: number | null
  density_g_cm3: number
  diameter_mm: number
  archived_at: string | null
  revision: number
}

const spoolToChange = (sql: Queryable) => sql`
  select s.id, s.filament_id, s.remaining_grams::float8, s.weight_grams::float8,
         coalesce(s.spool_weight_grams, f.spool_weight_grams, v.spool_weight_grams)::float8 as tare_grams,
         f.density_g_cm3::float8, f.diameter_mm::float8, s.archived_at, s.revision
  from spools s
  join filaments f on f.id = s.filament_id
  left join vendors v on v.id = f.vendor_id`

/**
 * Waits for whoever is changing a spool. What is read of it follows: a query that waits and joins sees the spool as it has
 * become beside the filament and the place that it had, and loses the row where the two do not fit any more.
 */
async function waitForSpool(tx: Queryable, id: string): Promise<void> {
  await tx`select 1 from spools where id = ${id} for update`
}

/** Holds a spool against other changes until the transaction ends; null if it is not there. */
export async function lockSpool(tx: Queryable, id: string): Promise<SpoolToChange | null> {
  await waitForSpool(tx, id)
  const [row] = await tx<SpoolToChange[]>`${spoolToChange(tx)} where s.id = ${id} and s.deleted_at is null`
  return row ?? null
}

/** The same for one that is in the bin since then or later, or is not in it; with the path of its place. */
export async function lockSpoolOrBinned(
  tx: Queryable,
  id: string,
  since: Date,
): Promise<{ deleted_at: string | null; location: string | null } | null> {
  await waitForSpool(tx, id)
  const [row] = await tx<{ deleted_at: string | null; location: string | null }[]>`
    select s.deleted_at, l.path as location
    from spools s left join locations l on l.id = s.location_id
    where s.id = ${id} and (s.deleted_at is null or s.deleted_at > ${since})`
  return row ?? null
}

/** What people change of a roll; what is left out stays. */
export type SpoolChange = Partial<
  Omit<SpoolColumns, 'id' | 'created_at' | 'updated_at'> & {
    deleted_at: Date | null
    last_used_at: Date | null
  }
>

export async function updateSpoolRow(
  tx: Queryable,
  id: string,
  change: SpoolChange,
  now: Date,
): Promise<void> {
  await tx`
    update spools set ${tx({ ...change, updated_at: now } as unknown as Record<string, string>)},
                      revision = revision + 1
    where id = ${id}`
}
