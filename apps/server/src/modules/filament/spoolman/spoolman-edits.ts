import { DEFAULT_SPOOL_GRAMS } from '@pegasus/contracts/filament/spools'
import { toMinor } from '@pegasus/contracts/money'
import type {
  SpoolmanFilamentEdit,
  SpoolmanSpoolEdit,
  SpoolmanVendorEdit,
} from '@pegasus/contracts/filament/spoolman-changes'
import type { SpoolChange } from '../spools/spools.queries.ts'
import type { FilamentColumns, VendorColumns } from './spoolman-changes.queries.ts'
import { UNKNOWN_MATERIAL, UNNAMED_VENDOR } from './placeholder-names.ts'
import { malformed, refuseField } from './spoolman-errors.ts'
import type { FilamentRow } from './spoolman.queries.ts'

/** The type of an object without undefined values. */
type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> }

/** Removes undefined fields, so that the fields that a request omits stay unchanged. */
const withoutUndefined = <T extends object>(fields: T): Defined<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>

/** Converts a price to minor units. Throws INVALID_INPUT for an amount with more decimals than the currency has. */
function minorOf(price: number | null | undefined, currency: string): number | null | undefined {
  if (price === undefined || price === null) return price
  const minor = toMinor(price, currency)
  if (minor === null) throw refuseField('price', `price has more decimals than ${currency} has`)
  return minor
}

const bare = (hex: string): string => hex.replace('#', '').toUpperCase()

export const vendorColumns = (edit: SpoolmanVendorEdit): VendorColumns =>
  withoutUndefined({
    name: edit.name === '' ? UNNAMED_VENDOR : edit.name,
    spool_weight_grams: edit.empty_spool_weight,
    comment: edit.comment,
    external_id: edit.external_id,
  })

/**
 * Returns the columns for one color, or for several colors with their direction. Setting one of the two clears the
 * other. Throws INVALID_INPUT.
 */
function colorColumns(edit: SpoolmanFilamentEdit, known: FilamentRow | null): FilamentColumns {
  const { color_hex: one, multi_color_hexes: many } = edit
  if (one && many) throw refuseField('color_hex', 'Cannot specify both color_hex and multi_color_hexes.')
  if (one) return { color_hex: bare(one), multi_color_hexes: null, multi_color_direction: null }
  const colors = many === undefined ? known?.multi_color_hexes : many ? many.split(',').map(bare) : null
  const direction = edit.multi_color_direction ?? (colors ? known?.multi_color_direction : null)
  if (colors && !direction)
    throw refuseField('multi_color_direction', 'Multi-color filament must have multi_color_direction set.')
  if (!colors && direction)
    throw refuseField(
      'multi_color_direction',
      'Single-color filament must not have multi_color_direction set.',
    )
  if (many)
    return { color_hex: null, multi_color_hexes: colors ?? null, multi_color_direction: direction ?? null }
  return {
    ...(one !== undefined && { color_hex: null }),
    ...(many !== undefined && { multi_color_hexes: null, multi_color_direction: null }),
    ...(edit.multi_color_direction && { multi_color_direction: edit.multi_color_direction }),
  }
}

/**
 * Splits a name into the filament's name and color. The Spoolman API has no field for the name of a color, so it shows
 * the color at the end of the filament's name.
 */
function nameColumns(name: string, known: FilamentRow | null): FilamentColumns {
  const ending = known?.color ? ` ${known.color}` : ''
  if (ending !== '' && name.length > ending.length && name.endsWith(ending))
    return { name: name.slice(0, -ending.length) }
  return { name, color: '' }
}

/** Converts an edit to columns of a filament. `known` is null for a new filament. Throws INVALID_INPUT. */
export function filamentColumns(
  edit: SpoolmanFilamentEdit,
  known: FilamentRow | null,
  currency: string,
): FilamentColumns {
  const material = edit.material === null ? UNKNOWN_MATERIAL : edit.material
  const isUnnamed =
    known === null ||
    edit.name === null ||
    (known.color === '' && known.name.toLowerCase() === known.material.toLowerCase())
  // A filament without a name is named after its material, even when the material changes.
  const name =
    edit.name ??
    (isUnnamed && (edit.name === null || material !== undefined) ? (material ?? known?.material) : undefined)
  return withoutUndefined({
    ...(name !== undefined && nameColumns(name, known)),
    ...colorColumns(edit, known),
    material,
    density_g_cm3: edit.density,
    diameter_mm: edit.diameter,
    weight_grams: edit.weight ?? (known === null ? DEFAULT_SPOOL_GRAMS : undefined),
    spool_weight_grams: edit.spool_weight,
    price_minor: minorOf(edit.price, currency),
    nozzle_temp_c: edit.settings_extruder_temp,
    bed_temp_c: edit.settings_bed_temp,
    article_number: edit.article_number,
    comment: edit.comment,
    external_id: edit.external_id,
  }) as FilamentColumns
}

const momentOf = (text: string | null | undefined): Date | null | undefined =>
  typeof text === 'string' ? new Date(text) : text

/** Converts an edit to columns of the spool itself, except its location and weights. Throws INVALID_INPUT. */
export const spoolColumns = (edit: SpoolmanSpoolEdit, currency: string): SpoolChange =>
  withoutUndefined({
    opened_at: momentOf(edit.first_used),
    last_used_at: momentOf(edit.last_used),
    price_minor: minorOf(edit.price, currency),
    spool_weight_grams: edit.spool_weight,
    lot_number: edit.lot_nr,
    notes: edit.comment,
  }) as SpoolChange

/**
 * Returns the weight of the full spool and the remaining weight, in grams. Undefined values stay unchanged. Throws
 * MALFORMED_REQUEST if two fields set the same value.
 */
export function weightsOf(
  edit: SpoolmanSpoolEdit,
  known: { full: number; left: number; filament: number },
): { full?: number; left?: number } {
  const { remaining_weight: remaining, used_weight: used } = edit
  if (remaining != null && used != null)
    throw malformed('Only specify either remaining_weight or used_weight.')
  const full = edit.initial_weight === undefined ? undefined : edit.initial_weight || known.filament
  const after = (gone: number): number => Math.max(0, (full ?? known.full) - gone)
  const left = remaining ?? (used == null ? undefined : after(used))
  if (full === undefined) return left === undefined ? {} : { left }
  // The used amount stays the same, so a smaller spool has a smaller remaining weight.
  return { full, left: left ?? after(Math.max(0, known.full - known.left)) }
}
