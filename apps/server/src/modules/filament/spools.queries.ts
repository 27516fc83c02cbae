import { v7 as uuidv7 } from 'uuid'
import type { ActorColumns } from '../../platform/actor.ts'
import type { Queryable } from '../../platform/database/database.ts'

/** The vendor of a name, made where it is missing. */
export async function ensureVendor(tx: Queryable, name: string, now: Date): Promise<string> {
  // An update that changes nothing, so that the row comes back in either case.
  const [row] = await tx<[{ id: string }]>`
    insert into vendors (id, name, created_at, updated_at) values (${uuidv7()}, ${name}, ${now}, ${now})
    on conflict (lower(name)) where deleted_at is null do update set name = vendors.name
    returning id`
  return row.id
}

export interface FilamentColumns {
  vendor_id: string | null
  name: string
  material: string
  color: string
  color_hex: string | null
  diameter_mm: number
  density_g_cm3: number
  weight_grams: number
  spool_weight_grams: number | null
  nozzle_temp_c: number | null
  bed_temp_c: number | null
}

/** The filament that is sold under these words in this size, made where it is missing. */
export async function ensureFilament(tx: Queryable, filament: FilamentColumns, now: Date): Promise<string> {
  const row = { id: uuidv7(), ...filament, created_at: now, updated_at: now }
  const [made] = await tx<[{ id: string }]>`
    insert into filaments ${tx(row as unknown as Record<string, string>)}
    on conflict (vendor_id, lower(material), lower(name), lower(color), diameter_mm, weight_grams)
      where deleted_at is null
    do update set name = filaments.name
    returning id`
  return made.id
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

/** Holds a spool against other entries until the transaction ends; null if it is not there. */
export async function lockSpool(tx: Queryable, id: string): Promise<{ remaining_grams: number } | null> {
  const [row] = await tx<{ remaining_grams: number }[]>`
    select remaining_grams::float8 from spools where id = ${id} and deleted_at is null for update`
  return row ?? null
}

export interface LedgerColumns extends ActorColumns {
  id: string
  spool_id: string
  kind: 'open' | 'use' | 'weigh' | 'correct' | 'waste'
  delta_grams: number
  reported_grams: number | null
  length_mm: number | null
  gross_grams: number | null
  reason: string | null
  print_job_id: string | null
  created_at: Date
}

/** Writes the entry; the database moves what is left on the spool with it, and answers that. */
export async function insertLedgerEntry(tx: Queryable, entry: LedgerColumns): Promise<number> {
  const [row] = await tx<[{ after_grams: number }]>`
    insert into spool_ledger ${tx(entry as unknown as Record<string, string>)}
    returning after_grams::float8`
  return row.after_grams
}
