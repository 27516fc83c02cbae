import { isDeepStrictEqual } from 'node:util'
import type { Spool } from '@pegasus/contracts/filament/spools'
import type { CreateSpoolBody, UpdateSpoolBody } from '@pegasus/contracts/filament/spool-changes'
import { toMinor } from '@pegasus/contracts/money'
import { AppError } from '../../../platform/errors/app-error.ts'
import { type NewSpool, bareHex } from './add-spool.ts'
import type { SpoolRow } from './spool-list.queries.ts'
import type { FilamentDetails, SpoolChange } from './spools.queries.ts'

/** Converts a cost to minor units. Throws SPOOL_INVALID for an amount with more decimals than the currency has. */
function costMinor(cost: number | null, currency: string): number | null {
  if (cost === null) return null
  const minor = toMinor(cost, currency)
  if (minor !== null) return minor
  const message = `Cost has more decimals than ${currency} has`
  throw new AppError('SPOOL_INVALID', { text: message, errors: [{ path: 'cost', message }] })
}

const momentOf = (text: string | null | undefined): Date | null => (text ? new Date(text) : null)

/** Converts the fields of a form to a new spool. Throws SPOOL_INVALID. */
export const newSpoolOf = (body: CreateSpoolBody, currency: string): NewSpool => ({
  material: body.material,
  brand: body.brand ?? null,
  name: body.name ?? body.material,
  color: body.color ?? '',
  colorHex: body.color_hex ?? null,
  ...(body.diameter_mm !== undefined && { diameterMm: body.diameter_mm }),
  ...(body.density_g_cm3 !== undefined && { densityGCm3: body.density_g_cm3 }),
  ...(body.weight_grams !== undefined && { weightGrams: body.weight_grams }),
  spoolWeightGrams: body.spool_weight_grams ?? null,
  ...(body.remaining_grams !== undefined && { remainingGrams: body.remaining_grams }),
  costMinor: costMinor(body.cost ?? null, currency),
  location: body.location ?? null,
  lotNumber: body.lot_number ?? null,
  nozzleTempC: body.nozzle_temp_c ?? null,
  bedTempC: body.bed_temp_c ?? null,
  lowStockGrams: body.low_stock_grams ?? null,
  dryingIntervalDays: body.drying_interval_days ?? null,
  openedAt: momentOf(body.opened_at),
  driedAt: momentOf(body.dried_at),
  notes: body.notes ?? null,
})

/** The fields that identify a filament. */
export interface FilamentNames {
  brand: string | null
  material: string
  name: string
  color: string
  diameter_mm: number
  weight_grams: number
}

/**
 * An edit in three parts: the filament that the spool should have, changes of that filament for all its
 * spools, and changes of this spool.
 */
export interface SpoolEdit {
  words: FilamentNames
  areWordsOther: boolean
  facts: Partial<FilamentDetails>
  spool: SpoolChange
  /** Undefined means that the location stays unchanged. */
  location: string | null | undefined
}

const isSame = (sent: unknown, known: unknown, field: string): boolean => {
  if (field === 'color_hex') return bareHex(sent as string | null) === bareHex(known as string | null)
  if (field.endsWith('_at') && typeof sent === 'string' && typeof known === 'string')
    return new Date(sent).getTime() === new Date(known).getTime()
  if (field === 'color') return (sent ?? '') === known
  return isDeepStrictEqual(sent, known)
}

/** Returns the given fields whose value differs from the current one. */
export function changesOf(shown: Spool, edit: UpdateSpoolBody): UpdateSpoolBody {
  const sent = Object.entries(edit) as [keyof UpdateSpoolBody, unknown][]
  const changes = sent.filter(([field, value]) => value !== undefined && !isSame(value, shown[field], field))
  return Object.fromEntries(changes)
}

/** Converts changes from `changesOf` to an edit. Throws SPOOL_INVALID. */
export function readEdit(row: SpoolRow, changes: UpdateSpoolBody, currency: string): SpoolEdit {
  const { brand, material, name, color, diameter_mm: diameter, weight_grams: weight } = changes
  return {
    words: {
      brand: brand === undefined ? row.brand : brand,
      material: material ?? row.material,
      name: name ?? row.name,
      color: color === undefined ? row.color : (color ?? ''),
      diameter_mm: diameter ?? row.diameter_mm,
      weight_grams: weight ?? row.weight_grams,
    },
    areWordsOther: [brand, material, name, color, diameter, weight].some((value) => value !== undefined),
    facts: {
      ...(changes.color_hex !== undefined && { color_hex: bareHex(changes.color_hex) }),
      ...(changes.density_g_cm3 !== undefined && { density_g_cm3: changes.density_g_cm3 }),
      ...(changes.nozzle_temp_c !== undefined && { nozzle_temp_c: changes.nozzle_temp_c }),
      ...(changes.bed_temp_c !== undefined && { bed_temp_c: changes.bed_temp_c }),
      ...(changes.low_stock_grams !== undefined && { low_stock_grams: changes.low_stock_grams }),
      ...(changes.drying_interval_days !== undefined && {
        drying_interval_days: changes.drying_interval_days,
      }),
    },
    spool: {
      ...(weight !== undefined && { weight_grams: weight }),
      ...(changes.spool_weight_grams !== undefined && { spool_weight_grams: changes.spool_weight_grams }),
      ...(changes.cost !== undefined && { price_minor: costMinor(changes.cost, currency) }),
      ...(changes.lot_number !== undefined && { lot_number: changes.lot_number }),
      ...(changes.opened_at !== undefined && { opened_at: momentOf(changes.opened_at) }),
      ...(changes.dried_at !== undefined && { dried_at: momentOf(changes.dried_at) }),
      ...(changes.notes !== undefined && { notes: changes.notes }),
    },
    location: changes.location,
  }
}
