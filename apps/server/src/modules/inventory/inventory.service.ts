import {
  DEFAULT_MAX_STOCK,
  DEFAULT_QUANTITY,
  DEFAULT_REORDER_POINT,
  ITEM_NAME_MAX_LENGTH,
  MAX_ITEM_QUANTITY,
  type MovementKind,
} from '@pegasus/contracts/inventory'
import type { HeldItemStatus } from '@pegasus/contracts/statuses'
import { v7 as uuidv7 } from 'uuid'
import { type Deed, actorColumns } from '../../platform/actor.ts'
import type { Database, Queryable } from '../../platform/database/database.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { type Cursor, type Page, toPage } from '../../platform/http/paging.ts'
import { publish } from '../events/index.ts'
import {
  type ItemFilter,
  type ItemRow,
  countItems,
  findItem,
  insertItem,
  isLiveModel,
  listItems,
  makeSku,
} from './inventory.queries.ts'
import { ensurePlace } from './locations.queries.ts'
import {
  type MovementRow,
  countMovements,
  insertMovement,
  listMovements,
  lockItem,
} from './movements.queries.ts'

type Place = { cursor: Cursor | null; limit: number }

export interface Inventory {
  /** Items, newest first. */
  list(filter: ItemFilter, page: Place): Promise<Page<ItemRow>>
  /** Throws ITEM_NOT_FOUND. */
  get(id: string): Promise<ItemRow>
  /** What moved of an item, newest first. Throws ITEM_NOT_FOUND. */
  listMovements(itemId: string, page: Place): Promise<Page<MovementRow>>
}

export function createInventory({ database: { sql } }: { database: Database }): Inventory {
  const get = async (id: string): Promise<ItemRow> => {
    const row = await findItem(sql, id)
    if (!row) throw new AppError('ITEM_NOT_FOUND')
    return row
  }

  return {
    async list(filter, page) {
      const [rows, total] = await Promise.all([listItems(sql, filter, page), countItems(sql, filter)])
      return toPage(rows, page.limit, total)
    },

    get,

    async listMovements(itemId, page) {
      await get(itemId)
      const [rows, total] = await Promise.all([listMovements(sql, itemId, page), countMovements(sql, itemId)])
      return toPage(rows, page.limit, total)
    },
  }
}

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
  materialCostMinor?: number | null
  laborCostMinor?: number | null
  sellingPriceMinor?: number | null
  notes?: string | null
}

const refuse = (path: string, message: string): never => {
  throw new AppError('ITEM_INVALID', { say: message, errors: [{ path, message }] })
}

function checkQuantity(quantity: number): void {
  if (!Number.isInteger(quantity) || quantity < 0 || quantity > MAX_ITEM_QUANTITY)
    refuse('quantity', `quantity must be a whole number from 0 to ${MAX_ITEM_QUANTITY}`)
}

/**
 * Adds an item, with its opening stock as the first movement. Answers its id.
 * Throws ITEM_INVALID, MODEL_NOT_FOUND, or (from the database) SKU_TAKEN.
 */
export async function createItem(tx: Queryable, item: NewItem, by: Deed): Promise<string> {
  const { now } = by
  const name = item.name.trim()
  const quantity = item.quantity ?? DEFAULT_QUANTITY
  if (name === '' || name.length > ITEM_NAME_MAX_LENGTH)
    refuse('name', `name must have 1 to ${ITEM_NAME_MAX_LENGTH} characters`)
  checkQuantity(quantity)
  if (item.stlFileId && !(await isLiveModel(tx, item.stlFileId))) throw new AppError('MODEL_NOT_FOUND')
  const id = uuidv7()
  await insertItem(tx, {
    id,
    name,
    sku: item.sku?.trim() || (await makeSku(tx)),
    stl_file_id: item.stlFileId ?? null,
    reorder_point: item.reorderPoint ?? DEFAULT_REORDER_POINT,
    max_stock: item.maxStock ?? DEFAULT_MAX_STOCK,
    held_status: item.heldStatus ?? null,
    location_id: await ensurePlace(tx, { location: item.location ?? null, bin: item.bin ?? null }, now),
    material_used: item.materialUsed ?? null,
    color: item.color ?? null,
    color_hex: item.colorHex?.replace('#', '').toUpperCase() ?? null,
    print_settings: item.printSettings ?? null,
    print_time_minutes: item.printTimeMinutes ?? null,
    weight_grams: item.weightGrams ?? null,
    material_cost_minor: item.materialCostMinor ?? null,
    labor_cost_minor: item.laborCostMinor ?? null,
    selling_price_minor: item.sellingPriceMinor ?? null,
    notes: item.notes ?? null,
    created_at: now,
    updated_at: now,
  })
  const { openingKind = 'count' } = item
  if (quantity > 0)
    await moveStock(tx, { itemId: id, kind: openingKind, delta: quantity, reason: 'Opening stock' }, by)
  await publish(tx, { type: 'created', entity: 'inventory_item', id })
  return id
}

export interface NewMovement {
  itemId: string
  kind: MovementKind
  /** Pieces in (positive) or out (negative). */
  delta?: number
  /** Pieces promised (positive) or freed again (negative). */
  reservedDelta?: number
  reason?: string | null
  /** The document it belongs to, one of the two at most. */
  orderId?: string | null
  printJobId?: string | null
  undoesId?: string | null
}

/**
 * Moves stock: the one way in which a quantity changes. Answers what is there afterwards. Throws ITEM_NOT_FOUND,
 * or (from the database) STOCK_LIMIT, STOCK_NOT_RESERVED, STOCK_NOT_FREE, MOVEMENT_INVALID.
 */
export async function moveStock(
  tx: Queryable,
  movement: NewMovement,
  by: Deed,
): Promise<{ quantity: number; reserved: number }> {
  const { itemId, kind, delta = 0, reservedDelta = 0 } = movement
  for (const pieces of [delta, reservedDelta])
    if (!Number.isInteger(pieces) || Math.abs(pieces) > MAX_ITEM_QUANTITY) throw new AppError('STOCK_LIMIT')
  // Of an item in the bin nothing is taken and nothing added.
  if (!(await lockItem(tx, itemId))) throw new AppError('ITEM_NOT_FOUND')
  const after = await insertMovement(tx, {
    id: uuidv7(),
    item_id: itemId,
    kind,
    delta,
    reserved_delta: reservedDelta,
    from_location_id: null,
    to_location_id: null,
    reason: movement.reason ?? null,
    order_id: movement.orderId ?? null,
    print_job_id: movement.printJobId ?? null,
    undoes_id: movement.undoesId ?? null,
    ...actorColumns(by.actor),
    created_at: by.now,
  })
  await publish(tx, { type: 'updated', entity: 'inventory_item', id: itemId })
  return after
}

/** Writes down what a count has found. A count that confirms is a movement of nothing. */
export async function countStock(
  tx: Queryable,
  count: { itemId: string; quantity: number; reason?: string | null },
  by: Deed,
): Promise<{ quantity: number; reserved: number }> {
  checkQuantity(count.quantity)
  const item = await lockItem(tx, count.itemId)
  if (!item) throw new AppError('ITEM_NOT_FOUND')
  const { itemId, reason = null } = count
  return moveStock(tx, { itemId, kind: 'count', delta: count.quantity - item.quantity, reason }, by)
}
