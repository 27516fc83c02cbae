import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import { PATH_SEPARATOR } from '@pegasus/contracts/inventory/locations'
import { formatMoney } from '@/lib/format/format.ts'

/** Formats the location of an item with its bin: `Rack A3 · Bin 12` */
export const locationLabel = ({ location, bin_location }: InventoryItem): string =>
  [location, bin_location].filter(Boolean).join(' · ')

/**
 * Returns the location without the outer places, for narrow rows: `Rack A3 · Bin 12` for an item in `Workshop / Rack
 * A3`.
 */
export const shortLocationLabel = ({ location, bin_location }: InventoryItem): string =>
  [location?.split(PATH_SEPARATOR).at(-1), bin_location].filter(Boolean).join(' · ')

/** Formats the material and the color of an item: `PETG Signal Orange` */
export const filamentOf = ({ material_used, color }: InventoryItem): string =>
  [material_used, color].filter(Boolean).join(' ')

/** Formats the selling price. Returns an empty string for a price of 0. */
export const priceOf = ({ selling_price }: InventoryItem): string =>
  selling_price ? formatMoney(selling_price) : ''
