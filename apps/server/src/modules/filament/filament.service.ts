import { DEFAULT_DIAMETER_MM, densityOf } from '@pegasus/contracts/filament'
import { v7 as uuidv7 } from 'uuid'
import { type Deed, actorColumns } from '../../platform/actor.ts'
import type { Database, Queryable } from '../../platform/database/database.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { type Cursor, type Page, toPage } from '../../platform/http/paging.ts'
import { publish } from '../events/index.ts'
import { ensurePlace } from '../inventory/index.ts'
import {
  type SpoolFilter,
  type SpoolRow,
  countSpools,
  listMaterials,
  listSpools,
} from './filament.queries.ts'
import {
  type LedgerColumns,
  ensureFilament,
  ensureVendor,
  insertLedgerEntry,
  insertSpool,
  lockSpool,
} from './spools.queries.ts'

const DEFAULT_WEIGHT_GRAMS = 1000

export interface Filament {
  /** Spools, newest first. */
  list(filter: SpoolFilter, page: { cursor: Cursor | null; limit: number }): Promise<Page<SpoolRow>>
  /** The materials that there are spools of, by name. */
  listMaterials(): Promise<string[]>
}

export function createFilament({ database: { sql } }: { database: Database }): Filament {
  return {
    async list(filter, page) {
      const [rows, total] = await Promise.all([listSpools(sql, filter, page), countSpools(sql, filter)])
      return toPage(rows, page.limit, total)
    },

    listMaterials: () => listMaterials(sql),
  }
}

/** A spool as it comes in. Vendor and filament are found by their words, or made. */
export interface NewSpool {
  material: string
  brand?: string | null
  name: string
  color?: string
  /** `#RRGGBB`. */
  colorHex?: string | null
  diameterMm?: number
  /** Prefilled by material. */
  densityGCm3?: number
  /** Net weight when full; 1,000 g unless told. */
  weightGrams?: number
  /** Weight of the empty spool. */
  spoolWeightGrams?: number | null
  /** Opening balance; a full spool unless told. */
  remainingGrams?: number
  /** Paid for this spool. */
  costMinor?: number | null
  location?: string | null
  lotNumber?: string | null
  nozzleTempC?: number | null
  bedTempC?: number | null
  openedAt?: Date | null
  driedAt?: Date | null
  archivedAt?: Date | null
  notes?: string | null
}

const refuse = (path: string, message: string): never => {
  throw new AppError('SPOOL_INVALID', { say: message, errors: [{ path, message }] })
}

function checkWords(spool: NewSpool): { material: string; name: string } {
  const [material, name] = [spool.material.trim(), spool.name.trim()]
  if (material === '') refuse('material', 'material is required')
  if (name === '') refuse('name', 'name is required')
  return { material, name }
}

/**
 * Adds a spool with its opening ledger row. Answers its id and its number for people. Throws SPOOL_INVALID.
 */
export async function createSpool(
  tx: Queryable,
  spool: NewSpool,
  by: Deed,
): Promise<{ id: string; number: number }> {
  const { now } = by
  const { material, name } = checkWords(spool)
  const weightGrams = spool.weightGrams ?? DEFAULT_WEIGHT_GRAMS
  const remainingGrams = spool.remainingGrams ?? weightGrams
  if (!(remainingGrams >= 0)) refuse('remaining_grams', 'remaining_grams must be 0 or more')
  const brand = spool.brand?.trim()
  const filamentId = await ensureFilament(
    tx,
    {
      vendor_id: brand ? await ensureVendor(tx, brand, now) : null,
      name,
      material,
      color: spool.color?.trim() ?? '',
      color_hex: spool.colorHex?.replace('#', '').toUpperCase() ?? null,
      diameter_mm: spool.diameterMm ?? DEFAULT_DIAMETER_MM,
      density_g_cm3: spool.densityGCm3 ?? densityOf(material),
      weight_grams: weightGrams,
      spool_weight_grams: spool.spoolWeightGrams ?? null,
      nozzle_temp_c: spool.nozzleTempC ?? null,
      bed_temp_c: spool.bedTempC ?? null,
    },
    now,
  )
  const id = uuidv7()
  const number = await insertSpool(tx, {
    id,
    filament_id: filamentId,
    weight_grams: weightGrams,
    spool_weight_grams: spool.spoolWeightGrams ?? null,
    price_minor: spool.costMinor ?? null,
    location_id: await ensurePlace(tx, { location: spool.location ?? null, bin: null }, now),
    lot_number: spool.lotNumber ?? null,
    opened_at: spool.openedAt ?? null,
    dried_at: spool.driedAt ?? null,
    archived_at: spool.archivedAt ?? null,
    notes: spool.notes ?? null,
    created_at: now,
    updated_at: now,
  })
  await write(tx, { spool_id: id, kind: 'open', delta_grams: remainingGrams, reason: 'Opening balance' }, by)
  await publish(tx, { type: 'created', entity: 'filament', id })
  return { id, number }
}

/**
 * Takes filament off a spool: used in print, or wasted. More than is left empties the spool, and the row says what
 * was reported. Answers the grams that are left. Throws SPOOL_NOT_FOUND or SPOOL_INVALID.
 */
export async function takeFilament(
  tx: Queryable,
  take: {
    spoolId: string
    grams: number
    kind?: 'use' | 'waste'
    lengthMm?: number | null
    reason?: string | null
    printJobId?: string | null
  },
  by: Deed,
): Promise<number> {
  const { spoolId, grams } = take
  if (!(grams >= 0)) refuse('grams', 'grams must be 0 or more')
  const spool = await lockSpool(tx, spoolId)
  if (!spool) throw new AppError('SPOOL_NOT_FOUND')
  const taken = Math.min(grams, spool.remaining_grams)
  const left = await write(
    tx,
    {
      spool_id: spoolId,
      kind: take.kind ?? 'use',
      delta_grams: -taken,
      reported_grams: taken < grams ? grams : null,
      length_mm: take.lengthMm ?? null,
      reason: take.reason ?? null,
      print_job_id: take.printJobId ?? null,
    },
    by,
  )
  await publish(tx, { type: 'updated', entity: 'filament', id: spoolId })
  return left
}

const write = (
  tx: Queryable,
  entry: Pick<LedgerColumns, 'spool_id' | 'kind' | 'delta_grams'> & Partial<LedgerColumns>,
  by: Deed,
): Promise<number> =>
  insertLedgerEntry(tx, {
    reported_grams: null,
    length_mm: null,
    gross_grams: null,
    reason: null,
    print_job_id: null,
    ...entry,
    id: uuidv7(),
    ...actorColumns(by.actor),
    created_at: by.now,
  })
