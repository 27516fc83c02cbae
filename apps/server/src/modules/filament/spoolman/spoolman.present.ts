import { gramsToMeters } from '@pegasus/contracts/filament/filament-weight'
import { fromMinor } from '@pegasus/contracts/money'
import type { SpoolmanFilament, SpoolmanSpool, SpoolmanVendor } from '@pegasus/contracts/filament/spoolman'
import { UNKNOWN_MATERIAL, UNNAMED_VENDOR } from './placeholder-names.ts'
import type { FilamentRow, SpoolmanSpoolRow, VendorRow } from './spoolman.queries.ts'

const orUndefined = <T>(value: T | null): T | undefined => value ?? undefined

/**
 * Removes the fraction of a time that is a whole second, as in `…:30.000Z`. Spoolman writes none there, and programs
 * compare the texts.
 */
export const presentMoment = (moment: string): string => moment.replace(/\.0+Z$/, 'Z')
const knownMoment = (moment: string | null): string | undefined =>
  moment === null ? undefined : presentMoment(moment)

export const presentVendor = (row: VendorRow): SpoolmanVendor => ({
  ...row,
  registered: presentMoment(row.registered),
  name: row.name === UNNAMED_VENDOR ? '' : row.name,
  comment: orUndefined(row.comment),
  empty_spool_weight: orUndefined(row.empty_spool_weight),
  external_id: orUndefined(row.external_id),
})

const money = (minor: number | null, currency: string): number | undefined =>
  minor === null ? undefined : fromMinor(minor, currency)

/** Returns the name with the color. A filament that is named only after its material has no name in Spoolman. */
const nameOf = ({ name, color, material }: FilamentRow): string | undefined =>
  color === '' && name.toLowerCase() === material.toLowerCase()
    ? undefined
    : [name, color].filter((word) => word !== '').join(' ')

export const presentFilament = (row: FilamentRow, currency: string): SpoolmanFilament => ({
  id: row.id,
  registered: presentMoment(row.registered),
  name: nameOf(row),
  vendor: row.vendor === null ? undefined : presentVendor(row.vendor),
  material: row.material === UNKNOWN_MATERIAL ? undefined : row.material,
  price: money(row.price_minor, currency),
  density: row.density,
  diameter: row.diameter,
  weight: row.weight,
  spool_weight: orUndefined(row.spool_weight),
  article_number: orUndefined(row.article_number),
  comment: orUndefined(row.comment),
  settings_extruder_temp: orUndefined(row.nozzle_temp_c),
  settings_bed_temp: orUndefined(row.bed_temp_c),
  color_hex: row.multi_color_hexes ? undefined : orUndefined(row.color_hex),
  multi_color_hexes: row.multi_color_hexes?.join(','),
  multi_color_direction: orUndefined(row.multi_color_direction),
  external_id: orUndefined(row.external_id),
  extra: row.extra,
})

export function presentSpoolmanSpool(row: SpoolmanSpoolRow, currency: string): SpoolmanSpool {
  const strand = { density_g_cm3: row.filament.density, diameter_mm: row.filament.diameter }
  const used = Math.max(0, row.initial_weight - row.remaining_weight) + row.overused_weight
  const lengthOf = (grams: number) => gramsToMeters(grams, strand) * 1000
  return {
    id: row.id,
    registered: presentMoment(row.registered),
    first_used: knownMoment(row.first_used),
    last_used: knownMoment(row.last_used),
    filament: presentFilament(row.filament, currency),
    price: money(row.price_minor, currency),
    remaining_weight: row.remaining_weight,
    initial_weight: row.initial_weight,
    spool_weight: orUndefined(row.spool_weight),
    used_weight: used,
    remaining_length: lengthOf(row.remaining_weight),
    used_length: lengthOf(used),
    location: orUndefined(row.location),
    lot_nr: orUndefined(row.lot_nr),
    comment: orUndefined(row.comment),
    archived: row.archived,
    extra: row.extra,
  }
}
