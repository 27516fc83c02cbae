import { ITEM_DEFAULTS } from '@pegasus/contracts/inventory/item-changes'
import {
  type ItemFields,
  NEW_ITEM_FIELDS,
  createItem,
  storedColor,
} from '../../src/modules/inventory/index.ts'
import type { AuditContext } from '../../src/platform/actor.ts'
import type { Queryable } from '../../src/platform/database/database.ts'

/** The fields of an item. Missing fields get the defaults of a new item. */
export interface NewItem extends Partial<ItemFields> {
  quantity?: number
  openingKind?: 'receive' | 'count'
  /** The path of a location. A missing location is created. */
  location?: string | null
  bin_location?: string | null
}

/** Creates an item with `createItem` and returns its id. `color_hex` may be written `#RRGGBB`. */
export function createTestItem(tx: Queryable, item: NewItem, by: AuditContext): Promise<string> {
  const {
    quantity = ITEM_DEFAULTS.quantity,
    openingKind = 'count',
    location,
    bin_location: bin,
    ...given
  } = item
  const fields = {
    ...NEW_ITEM_FIELDS,
    ...given,
    name: given.name?.trim() ?? '',
    sku: given.sku?.trim() ?? '',
    color_hex: storedColor(given.color_hex),
  }
  const place = { location: location ?? null, bin: bin ?? null }
  return createItem(tx, { fields, quantity, openingKind, place }, by)
}
