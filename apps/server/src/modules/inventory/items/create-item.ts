import {
  DEFAULT_MAX_STOCK,
  DEFAULT_QUANTITY,
  DEFAULT_REORDER_POINT,
  ITEM_NAME_MAX_LENGTH,
} from '@pegasus/contracts/inventory/items'
import { DEFAULT_PIECES_PER_PRINT } from '@pegasus/contracts/inventory/item-changes'
import type { HeldItemStatus } from '@pegasus/contracts/statuses'
import { OPENING_REASON } from '@pegasus/contracts/inventory/stock-movements'
import { v7 as uuidv7 } from 'uuid'
import type { AuditContext } from '../../../platform/actor.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { publish } from '../../events/index.ts'
import { type ItemFields, insertItem, isLiveModel, makeSku } from './items.queries.ts'
import { ensureLocation } from '../locations/ensure-location.ts'
import { assertQuantity, moveStock } from '../stock/stock.service.ts'

/** What belongs to an item when it is made. What is left out takes the specification's default. */
export interface NewItem {
  name: string
  /** Made from a sequence where it is empty. */
  sku?: string | undefined
  stlFileId?: string | null
  /** Opening stock. */
  quantity?: number
  /** How the opening stock is told: it came in, or it was there and has been counted. */
  openingKind?: 'receive' | 'count'
  reorderPoint?: number
  maxStock?: number
  heldStatus?: HeldItemStatus | null
  /** Path of a place, made where it is missing. */
  location?: string | null
  bin?: string | null
  materialUsed?: string | null
  color?: string | null
  /** `#RRGGBB`. */
  colorHex?: string | null
  printSettings?: string | null
  printTimeMinutes?: number | null
  /** Filament in one piece. */
  weightGrams?: number | null
  piecesPerPrint?: number
  materialCostMinor?: number | null
  laborCostMinor?: number | null
  sellingPriceMinor?: number | null
  notes?: string | null
}

/** An item to be added, in the database's words. An empty SKU is made from the sequence. */
export interface ItemToAdd {
  fields: ItemFields
  quantity: number
  openingKind: 'receive' | 'count'
  place: { location: string | null; bin: string | null }
}

/** `#RRGGBB` as the database keeps it. */
export const storedColor = (color: string | null | undefined): string | null =>
  color?.replace('#', '').toUpperCase() ?? null

/**
 * Adds an item, with its opening stock as the first movement. Answers its id.
 * Throws ITEM_INVALID, MODEL_NOT_FOUND, LOCATION_INVALID, or (from the database) SKU_TAKEN.
 */
export function createItem(tx: Queryable, item: NewItem, by: AuditContext): Promise<string> {
  const fields: ItemFields = {
    name: item.name.trim(),
    sku: item.sku?.trim() ?? '',
    stl_file_id: item.stlFileId ?? null,
    reorder_point: item.reorderPoint ?? DEFAULT_REORDER_POINT,
    max_stock: item.maxStock ?? DEFAULT_MAX_STOCK,
    held_status: item.heldStatus ?? null,
    material_used: item.materialUsed ?? null,
    color: item.color ?? null,
    color_hex: storedColor(item.colorHex),
    print_settings: item.printSettings ?? null,
    print_time_minutes: item.printTimeMinutes ?? null,
    weight_grams: item.weightGrams ?? null,
    pieces_per_print: item.piecesPerPrint ?? DEFAULT_PIECES_PER_PRINT,
    material_cost_minor: item.materialCostMinor ?? null,
    labor_cost_minor: item.laborCostMinor ?? null,
    selling_price_minor: item.sellingPriceMinor ?? null,
    notes: item.notes ?? null,
  }
  const { quantity = DEFAULT_QUANTITY, openingKind = 'count' } = item
  const place = { location: item.location ?? null, bin: item.bin ?? null }
  return addItem(tx, { fields, quantity, openingKind, place }, by)
}

/**
 * The same for an item whose fields are in the database's words already. `findPlace` may know places that the
 * transaction holds already.
 */
export async function addItem(
  tx: Queryable,
  item: ItemToAdd,
  by: AuditContext,
  findPlace: typeof ensureLocation = ensureLocation,
): Promise<string> {
  const { fields, quantity, openingKind, place } = item
  const { now } = by
  if (fields.name === '' || fields.name.length > ITEM_NAME_MAX_LENGTH) {
    const message = `name must have 1 to ${ITEM_NAME_MAX_LENGTH} characters`
    throw new AppError('ITEM_INVALID', { say: message, errors: [{ path: 'name', message }] })
  }
  assertQuantity(quantity)
  if (fields.stl_file_id && !(await isLiveModel(tx, fields.stl_file_id)))
    throw new AppError('MODEL_NOT_FOUND')
  const id = uuidv7()
  await insertItem(tx, {
    id,
    ...fields,
    sku: fields.sku || (await makeSku(tx)),
    location_id: await findPlace(tx, place, now),
    created_at: now,
    updated_at: now,
  })
  if (quantity > 0)
    await moveStock(tx, { itemId: id, kind: openingKind, delta: quantity, reason: OPENING_REASON }, by)
  await publish(tx, { type: 'created', entity: 'inventory_item', id })
  return id
}
