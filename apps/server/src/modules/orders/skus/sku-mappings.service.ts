import type { AuditAction } from '@pegasus/contracts/audit'
import type {
  MapSkuBody,
  OrderedSku as WireSku,
  SkuDecision,
  SkuState,
} from '@pegasus/contracts/orders/sku-mappings'
import { type AuditContext, actorColumns } from '../../../platform/actor.ts'
import type { Database, TransactionSql } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import type { Page } from '../../../platform/http/paging.ts'
import { writeAudit, writeAudits } from '../../audit/index.ts'
import { publishAll } from '../../events/index.ts'
import { findItemIdBySku, lockItems } from '../../inventory/index.ts'
import { releaseRest } from '../handling/order-stock.ts'
import { advanceOrder, clearPiecesLeftProblem } from '../handling/shipments.queries.ts'
import { lockOrder } from '../intake/order-intake.queries.ts'
import { bookMappedPieces } from '../intake/shop-problem.ts'
import {
  type ChangedOrder,
  type OrderedSku,
  applySkuMappings,
  countDecidedSkus,
  countUnknownSkus,
  deleteSkuMapping,
  findLiveItems,
  hasUnknownLines,
  listChangedOrders,
  listDecidedSkus,
  listMappedReservations,
  listUnknownSkus,
  lockOrdersOfSku,
  lockSku,
  markCompletedByIgnoring,
  reopenOrders,
  writeSkuMapping,
} from './sku-mappings.queries.ts'

/**
 * Decisions about SKUs that match no item. A decision applies to open orders at once, to orders that an earlier decision
 * has completed, and to later orders. A line with reserved or shipped pieces keeps its item.
 */
export interface SkuMappings {
  list(state: SkuState, limit: number): Promise<Page<WireSku>>
  /**
   * Maps a SKU to one piece of one item, or to a set. Throws ORDER_INVALID for an item that does not exist or is named
   * twice. If an item has this SKU itself, instead assigns that item to the lines that lack it, and throws CONFLICT if
   * there are none.
   */
  map(body: MapSkuBody, by: AuditContext): Promise<SkuDecision>
  /** Ignores a SKU because it is not kept in stock. If an item has this SKU, does the same as `map`. */
  ignore(sku: string, by: AuditContext): Promise<SkuDecision>
  /**
   * Removes the decision about a SKU. Pieces that are reserved for its lines become free, except for lines with shipped
   * pieces, which keep their item. An order that was completed because this SKU was ignored is open again.
   */
  forget(sku: string, by: AuditContext): Promise<SkuDecision>
}

const present = ({ items, ...row }: OrderedSku): WireSku => ({
  ...row,
  first_seen_at: row.first_seen_at && new Date(row.first_seen_at).toISOString(),
  last_seen_at: row.last_seen_at && new Date(row.last_seen_at).toISOString(),
  items: items.map(({ item_id: id, ...item }) => ({ inventory_item_id: id, ...item })),
})

/** An item of a mapping, as the audit stores it. */
type AuditedItem = Pick<OrderedSku['items'][number], 'sku' | 'name' | 'quantity'>

const DECISIONS = {
  'sku.mapped': 'sku_mapped',
  'sku.ignored': 'sku_ignored',
  'sku.forgotten': 'sku_forgotten',
} as const

/** Writes one entry for each order, so that its history shows what the decision has changed. */
const auditOrders = (
  tx: TransactionSql,
  action: AuditAction,
  { orders, after }: { orders: readonly ChangedOrder[]; after: Record<string, unknown> },
  by: AuditContext,
): Promise<void> =>
  writeAudits(
    tx,
    orders.map(({ id, order_number: name }) => ({
      action,
      entity: 'order',
      entityId: id,
      entityName: name,
      after,
    })),
    by,
  )

const refuse = (path: string, message: string): never => {
  throw new AppError('ORDER_INVALID', { say: message, errors: [{ path, message }] })
}

export function createSkuMappings({ database }: { database: Database }): SkuMappings {
  const { sql } = database

  /** Reads the named items. */
  const readItems = async (tx: TransactionSql, asked: MapSkuBody['items']) => {
    const known = await findLiveItems(
      tx,
      asked.map((item) => item.inventory_item_id),
    )
    return asked.map(({ inventory_item_id: id, quantity }, index) => {
      const item = known.find((each) => each.id === id)
      if (!item) return refuse(`items.${index}.inventory_item_id`, 'There is no such item.')
      if (asked.findIndex((other) => other.inventory_item_id === id) < index)
        return refuse(`items.${index}.inventory_item_id`, `“${item.name}” is in the list twice.`)
      return { item_id: id, quantity, audited: { sku: item.sku, name: item.name, quantity } }
    })
  }

  /** Frees the pieces that are reserved for lines only because their SKU is mapped. */
  const releaseMapped = async (tx: TransactionSql, sku: string, by: AuditContext): Promise<void> => {
    const reserved = await listMappedReservations(tx, sku)
    // Lock the items of all orders at once, so that a transaction with the same items in another sequence waits.
    await lockItems(
      tx,
      reserved.map((row) => row.item_id),
    )
    for (const [id, parts] of Map.groupBy(reserved, (row) => row.order_id)) {
      const order = await lockOrder(tx, id)
      if (order) await releaseRest(tx, order, parts, by)
    }
  }

  /** Applies the decision to the orders and publishes the changes. */
  const recordChange = async (
    tx: TransactionSql,
    action: 'sku.mapped' | 'sku.ignored' | 'sku.forgotten',
    { sku, items }: { sku: string; items?: readonly AuditedItem[] },
    by: AuditContext,
  ): Promise<SkuDecision> => {
    await lockOrdersOfSku(tx, sku)
    if (action === 'sku.forgotten') await releaseMapped(tx, sku, by)
    const orders = await applySkuMappings(tx, { sku }, by.now)
    await auditOrders(
      tx,
      `order.${DECISIONS[action]}`,
      { orders: await listChangedOrders(tx, orders), after: { sku, ...(items && { items }) } },
      by,
    )
    const reopened = await reopenOrders(tx, orders, by.now)
    const reopening = { status: 'in_progress', reason: 'Pieces of a SKU that was ignored are needed.' }
    await auditOrders(tx, 'order.reopened', { orders: reopened, after: reopening }, by)
    // If all other lines of an order are shipped, ignoring this SKU can complete the order.
    for (const id of orders) {
      await bookMappedPieces(tx, id, by)
      await advanceOrder(tx, id, false, by.now)
      await clearPiecesLeftProblem(tx, id)
    }
    if (action === 'sku.ignored') {
      const completed = await markCompletedByIgnoring(tx, orders)
      const completion = { status: 'completed', reason: 'All pieces that are not ignored were shipped.' }
      await auditOrders(tx, 'order.completed', { orders: completed, after: completion }, by)
    }
    const entry = { action, entity: 'sku', entityId: null, entityName: sku } as const
    await writeAudit(tx, { ...entry, ...(items && { after: { items } }) }, by)
    await publishAll(
      tx,
      orders.map((id) => ({ type: 'updated', entity: 'order', id })),
    )
    return { sku, changed_orders: orders.length }
  }

  /**
   * Assigns the item with this SKU to lines that do not have it yet, for example because item and order were added at
   * the same moment. Returns null if no item has the SKU. Throws CONFLICT if all lines have the item.
   */
  const linkItemOf = async (
    tx: TransactionSql,
    sku: string,
    by: AuditContext,
  ): Promise<SkuDecision | null> => {
    const id = await findItemIdBySku(tx, sku)
    if (!id) return null
    if (!(await hasUnknownLines(tx, sku)))
      throw new AppError('CONFLICT', { say: `An inventory item has the SKU ${sku}.` })
    await deleteSkuMapping(tx, sku)
    const items = (await findLiveItems(tx, [id])).map((item) => ({ sku, name: item.name, quantity: 1 }))
    return recordChange(tx, 'sku.mapped', { sku, items }, by)
  }

  return {
    async list(state, limit) {
      const isIgnored = state === 'ignored'
      const [items, total] = await (state === 'unknown'
        ? Promise.all([listUnknownSkus(sql, { limit }), countUnknownSkus(sql)])
        : Promise.all([listDecidedSkus(sql, { isIgnored, limit }), countDecidedSkus(sql, isIgnored)]))
      return { items: items.map(present), next: null, total }
    },

    map: ({ sku, items: asked }, by) =>
      database.transaction(async (tx) => {
        await lockSku(tx, sku)
        const items = await readItems(tx, asked)
        const linked = await linkItemOf(tx, sku, by)
        if (linked) return linked
        const rows = items.map(({ item_id, quantity }) => ({ item_id, quantity }))
        const mapping = { sku, isIgnored: false, items: rows }
        await writeSkuMapping(tx, mapping, { by: actorColumns(by.actor), now: by.now })
        return recordChange(tx, 'sku.mapped', { sku, items: items.map(({ audited }) => audited) }, by)
      }),

    ignore: (sku, by) =>
      database.transaction(async (tx) => {
        await lockSku(tx, sku)
        const linked = await linkItemOf(tx, sku, by)
        if (linked) return linked
        const mapping = { sku, isIgnored: true, items: [] }
        await writeSkuMapping(tx, mapping, { by: actorColumns(by.actor), now: by.now })
        return recordChange(tx, 'sku.ignored', { sku }, by)
      }),

    forget: (sku, by) =>
      database.transaction(async (tx) => {
        await lockSku(tx, sku)
        if (!(await deleteSkuMapping(tx, sku))) return { sku, changed_orders: 0 }
        return recordChange(tx, 'sku.forgotten', { sku }, by)
      }),
  }
}
