import { densityOf } from '@pegasus/contracts/filament/filament-weight'
import { DEFAULT_DIAMETER_MM, DEFAULT_SPOOL_GRAMS } from '@pegasus/contracts/filament/spools'
import { v7 as uuidv7 } from 'uuid'
import type { AuditContext } from '../../../platform/actor.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { publish } from '../../events/index.ts'
import { ensureLocation } from '../../inventory/index.ts'
import { book } from '../ledger/book-entry.ts'
import {
  type FilamentDetails,
  type FilamentIdentity,
  correctFilament,
  ensureFilament,
  ensureVendor,
  insertSpool,
} from './spools.queries.ts'

/**
 * The fields of a new spool. Vendor and filament are looked up by their names, and created if they do not
 * exist.
 */
export interface NewSpool {
  material: string
  brand?: string | null
  name: string
  color?: string
  /** The color as `#RRGGBB`. */
  colorHex?: string | null
  diameterMm?: number
  /** The default depends on the material. */
  densityGCm3?: number
  /** Net weight of a full spool. The default is 1,000 g. */
  weightGrams?: number
  /** Weight of the empty spool. */
  spoolWeightGrams?: number | null
  /** Opening balance. The default is a full spool. */
  remainingGrams?: number
  /** The price of this spool. */
  costMinor?: number | null
  location?: string | null
  lotNumber?: string | null
  nozzleTempC?: number | null
  bedTempC?: number | null
  /** The low-stock limit, which applies to all spools of this material and color together. */
  lowStockGrams?: number | null
  dryingIntervalDays?: number | null
  openedAt?: Date | null
  driedAt?: Date | null
  archivedAt?: Date | null
  notes?: string | null
}

const refuse = (path: string, message: string): never => {
  throw new AppError('SPOOL_INVALID', { text: message, errors: [{ path, message }] })
}

function checkWords(spool: NewSpool): { material: string; name: string } {
  const [material, name] = [spool.material.trim(), spool.name.trim()]
  if (material === '') refuse('material', 'material is required')
  if (name === '') refuse('name', 'name is required')
  return { material, name }
}

/** Converts a color such as `#e8641b` to the form that the database stores, such as `E8641B`. */
export const bareHex = (hex: string | null | undefined): string | null =>
  hex?.replace('#', '').toUpperCase() ?? null

async function identityOf(
  tx: Queryable,
  spool: NewSpool & { weightGrams: number },
  now: Date,
): Promise<FilamentIdentity> {
  const brand = spool.brand?.trim()
  return {
    vendor_id: brand ? await ensureVendor(tx, brand, now) : null,
    name: spool.name,
    material: spool.material,
    color: spool.color?.trim() ?? '',
    diameter_mm: spool.diameterMm ?? DEFAULT_DIAMETER_MM,
    weight_grams: spool.weightGrams,
  }
}

const detailsOf = (spool: NewSpool, material: string): FilamentDetails => ({
  color_hex: bareHex(spool.colorHex),
  density_g_cm3: spool.densityGCm3 ?? densityOf(material),
  spool_weight_grams: spool.spoolWeightGrams ?? null,
  nozzle_temp_c: spool.nozzleTempC ?? null,
  bed_temp_c: spool.bedTempC ?? null,
  low_stock_grams: spool.lowStockGrams ?? null,
  drying_interval_days: spool.dryingIntervalDays ?? null,
})

/**
 * Returns the values of the request that replace those of an existing filament. A density that is usual for the
 * material is left out, because forms are prefilled with it.
 */
function statedDetails(spool: NewSpool, material: string): Partial<FilamentDetails> {
  const { spool_weight_grams: _, density_g_cm3: density, ...details } = detailsOf(spool, material)
  const stated = Object.entries(details).filter(([, value]) => value !== null)
  return {
    ...Object.fromEntries(stated),
    ...(density !== densityOf(material) && { density_g_cm3: density }),
  }
}

/** Adds a spool with the first entry of its ledger. Returns its id and its number. Throws SPOOL_INVALID. */
export async function createSpool(
  tx: Queryable,
  spool: NewSpool,
  by: AuditContext,
): Promise<{ id: string; number: number }> {
  const { now } = by
  const { material, name } = checkWords(spool)
  const weightGrams = spool.weightGrams ?? DEFAULT_SPOOL_GRAMS
  const remainingGrams = spool.remainingGrams ?? weightGrams
  if (!(remainingGrams >= 0)) refuse('remaining_grams', 'remaining_grams must be 0 or more')
  const filamentId = await ensureFilament(
    tx,
    await identityOf(tx, { ...spool, material, name, weightGrams }, now),
    detailsOf(spool, material),
    now,
  )
  await correctFilament(tx, filamentId, statedDetails(spool, material), now)
  const id = uuidv7()
  const number = await insertSpool(tx, {
    id,
    filament_id: filamentId,
    weight_grams: weightGrams,
    spool_weight_grams: spool.spoolWeightGrams ?? null,
    price_minor: spool.costMinor ?? null,
    location_id: await ensureLocation(tx, { location: spool.location ?? null, bin: null }, now),
    lot_number: spool.lotNumber ?? null,
    opened_at: spool.openedAt ?? null,
    dried_at: spool.driedAt ?? null,
    archived_at: spool.archivedAt ?? null,
    notes: spool.notes ?? null,
    created_at: now,
    updated_at: now,
  })
  await book(tx, { spool_id: id, kind: 'open', delta_grams: remainingGrams, reason: 'Opening balance' }, by)
  await publish(tx, { type: 'created', entity: 'filament', id })
  return { id, number }
}
