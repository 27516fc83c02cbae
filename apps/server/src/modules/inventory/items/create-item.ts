import { ITEM_NAME_MAX_LENGTH } from '@pegasus/contracts/inventory/items'
import { OPENING_REASON } from '@pegasus/contracts/inventory/stock-movements'
import { v7 as uuidv7 } from 'uuid'
import type { AuditContext } from '../../../platform/actor.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { publish } from '../../events/index.ts'
import { ensureLocation } from '../locations/ensure-location.ts'
import { assertQuantity, moveStock } from '../stock/stock.service.ts'
import type { ItemToAdd } from './item-fields.ts'
import { insertItem, isLiveModel, makeSku } from './items.queries.ts'

/**
 * Creates an item, with its opening stock as the first movement. Returns its id. Pass a `findPlace` that
 * remembers locations if the transaction adds many items. Throws ITEM_INVALID, MODEL_NOT_FOUND,
 * LOCATION_INVALID, or SKU_TAKEN, which comes from the database.
 */
export async function createItem(
  tx: Queryable,
  item: ItemToAdd,
  by: AuditContext,
  findPlace: typeof ensureLocation = ensureLocation,
): Promise<string> {
  const { fields, quantity, openingKind, place } = item
  const { now } = by
  if (fields.name === '' || fields.name.length > ITEM_NAME_MAX_LENGTH) {
    const message = `name must have 1 to ${ITEM_NAME_MAX_LENGTH} characters`
    throw new AppError('ITEM_INVALID', { text: message, errors: [{ path: 'name', message }] })
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
