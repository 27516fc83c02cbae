import type { UpdateItemBody } from '@pegasus/contracts/inventory/item-changes'
import { EDITED_REASON } from '@pegasus/contracts/inventory/stock-movements'
import type { AuditContext } from '../../../platform/actor.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { type ItemRow, isLiveModel, makeSku } from './items.queries.ts'
import { ensureLocation } from '../locations/ensure-location.ts'
import { countStock, moveStock } from '../stock/stock.service.ts'
import { type ItemFields, changesOf, locationOfEdit } from './item-fields.ts'
import { updateItem } from './item-changes.queries.ts'

/** An edit, with the columns that it sets. */
export interface ItemChange {
  body: Pick<UpdateItemBody, 'quantity' | 'location' | 'bin_location'>
  fields: Partial<ItemFields>
}

/** Fields that affect the cost of a piece or its margin. */
const COST_FIELDS: ReadonlySet<string> = new Set<keyof ItemFields>([
  'print_time_minutes',
  'weight_grams',
  'pieces_per_print',
  'material_cost_minor',
  'labor_cost_minor',
  'selling_price_minor',
])

interface Changed {
  isChanged: boolean
  isCostChanged: boolean
}

/** Moves an item to another location by a movement. Returns the movement's id. */
export async function relocate(
  tx: Queryable,
  item: { id: string; location_id: string | null },
  to: { locationId: string | null; reason: string | null; undoesId?: string },
  by: AuditContext,
): Promise<string> {
  const { locationId, reason, undoesId = null } = to
  await updateItem(tx, item.id, { location_id: locationId }, by.now)
  const places = { fromLocationId: item.location_id, toLocationId: locationId }
  const { id } = await moveStock(tx, { itemId: item.id, kind: 'move', reason, undoesId, ...places }, by)
  return id
}

/**
 * Applies an edit to a locked item: updates the fields, moves the item to the new location, and books the new quantity
 * as a count. Returns the changed fields. Throws MODEL_NOT_FOUND, LOCATION_INVALID, or SKU_TAKEN, which comes from the
 * database.
 */
export async function changeItem(
  tx: Queryable,
  item: ItemRow,
  { body, fields }: ItemChange,
  by: AuditContext,
): Promise<Changed> {
  const changes = changesOf(item, fields)
  if (changes.sku === '') changes.sku = await makeSku(tx)
  if (changes.stl_file_id && !(await isLiveModel(tx, changes.stl_file_id)))
    throw new AppError('MODEL_NOT_FOUND')
  const fieldNames = Object.keys(changes)
  if (fieldNames.length > 0) await updateItem(tx, item.id, changes, by.now)

  const place = locationOfEdit(item, body)
  const locationId = place ? await ensureLocation(tx, place, by.now) : item.location_id
  const isMoved = locationId !== item.location_id
  if (isMoved) await relocate(tx, item, { locationId, reason: null }, by)

  const { quantity = item.quantity } = body
  const isCounted = quantity !== item.quantity
  if (isCounted) await countStock(tx, { itemId: item.id, quantity, reason: EDITED_REASON }, by)
  return {
    isChanged: fieldNames.length > 0 || isMoved || isCounted,
    isCostChanged: fieldNames.some((name) => COST_FIELDS.has(name)),
  }
}
