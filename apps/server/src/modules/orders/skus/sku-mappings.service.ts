import type {
  MapSkuBody,
  OrderedSku as WireSku,
  SkuDecision,
  SkuState,
} from '@pegasus/contracts/orders/sku-mappings'
import { type AuditContext, actorColumns } from '../../../platform/actor.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database, TransactionSql } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { type Page, decodeOffset, mapPage, toOffsetPage } from '../../../platform/http/paging.ts'
import { trashCutoff } from '../../../platform/trash.ts'
import { writeAudit } from '../../audit/index.ts'
import { findItemIdBySku } from '../../inventory/index.ts'
import { type AppliedDecision, applySkuDecision } from './apply-sku-decision.ts'
import {
  type OrderedSku,
  countDecidedSkus,
  countUnknownSkus,
  deleteSkuMapping,
  findItemsToMap,
  hasUnknownLines,
  listDecidedSkus,
  listUnknownSkus,
  listUnneededJobs,
  lockSku,
  writeSkuMapping,
} from './sku-mappings.queries.ts'

/**
 * Decisions about SKUs that match no item. A decision applies at once to open orders and to orders that were completed
 * because a SKU was ignored, and also to later orders. A line with reserved or shipped pieces keeps its item.
 */
export interface SkuMappings {
  /** Lists SKUs. Throws INVALID_INPUT for a cursor that does not come from this list. */
  list(state: SkuState, page: { limit: number; cursor?: string | undefined }): Promise<Page<WireSku, string>>
  /**
   * Maps a SKU to one piece of one item, or to a set. Throws ORDER_INVALID for an item that does not exist, is in the
   * trash or is named twice. If an item has this SKU itself, assigns that item to the lines that lack it instead, or
   * throws CONFLICT if no line lacks it.
   */
  map(body: MapSkuBody, by: AuditContext): Promise<SkuDecision>
  /** Ignores a SKU because it is not kept in stock. If an item has this SKU, does the same as `map`. */
  ignore(sku: string, by: AuditContext): Promise<SkuDecision>
  /**
   * Removes the decision about a SKU. Releases the pieces that are reserved for its lines. Lines with shipped pieces
   * keep their item and their reserved pieces. An order that was completed because this SKU was ignored is open again.
   */
  forget(sku: string, by: AuditContext): Promise<SkuDecision>
}

const present = ({ items, deleted_items: deleted, ...row }: OrderedSku): WireSku => ({
  ...row,
  first_seen_at: row.first_seen_at && new Date(row.first_seen_at).toISOString(),
  last_seen_at: row.last_seen_at && new Date(row.last_seen_at).toISOString(),
  items: items.map(({ item_id: id, ...item }) => ({ inventory_item_id: id, ...item })),
  deleted_items: deleted.map(({ item_id: id, ...item }) => ({ inventory_item_id: id, ...item })),
})

const refuse = (path: string, message: string): never => {
  throw new AppError('ORDER_INVALID', { text: message, errors: [{ path, message }] })
}

/** The audit action of each decision, and the action that the history of an order shows for it. */
const ORDER_ACTIONS = {
  'sku.mapped': 'order.sku_mapped',
  'sku.ignored': 'order.sku_ignored',
  'sku.forgotten': 'order.sku_forgotten',
} as const

export function createSkuMappings({ database, clock }: { database: Database; clock: Clock }): SkuMappings {
  const { sql } = database

  /**
   * Reads the items for a mapping. If one of them is moved to the trash later, the mapping waits until it is restored.
   */
  const readItems = async (tx: TransactionSql, asked: MapSkuBody['items'], now: Date) => {
    const ids = asked.map((item) => item.inventory_item_id)
    const known = await findItemsToMap(tx, ids, trashCutoff(now))
    return asked.map(({ inventory_item_id: id, quantity }, index) => {
      const item = known.find((each) => each.id === id)
      if (!item) return refuse(`items.${index}.inventory_item_id`, 'There is no such item.')
      if (item.is_in_trash)
        return refuse(
          `items.${index}.inventory_item_id`,
          `“${item.name}” is in the trash. Restore it first, or choose another item.`,
        )
      if (asked.findIndex((other) => other.inventory_item_id === id) < index)
        return refuse(`items.${index}.inventory_item_id`, `“${item.name}” is in the list twice.`)
      return { item_id: id, quantity, audited: { sku: item.sku, name: item.name, quantity } }
    })
  }

  /** Applies the decision to the orders, and writes its audit entry. */
  const recordDecision = async (
    tx: TransactionSql,
    action: keyof typeof ORDER_ACTIONS,
    { sku, items }: Pick<AppliedDecision, 'sku' | 'items'>,
    by: AuditContext,
  ): Promise<SkuDecision> => {
    const decision = { action: ORDER_ACTIONS[action], sku, ...(items && { items }) }
    const orderIds = await applySkuDecision(tx, decision, by)
    const entry = { action, entity: 'sku', entityId: null, entityName: sku } as const
    await writeAudit(tx, { ...entry, ...(items && { after: { items } }) }, by)
    return {
      sku,
      changed_orders: orderIds.length,
      proposed_cancellations: await listUnneededJobs(tx, orderIds),
    }
  }

  /**
   * Assigns the item with this SKU to the lines that lack it, for example because item and order were added at the same
   * moment. Returns null if no item has the SKU. Throws CONFLICT if no line lacks the item.
   */
  const linkItemOf = async (
    tx: TransactionSql,
    sku: string,
    by: AuditContext,
  ): Promise<SkuDecision | null> => {
    const id = await findItemIdBySku(tx, sku)
    if (!id) return null
    if (!(await hasUnknownLines(tx, sku)))
      throw new AppError('CONFLICT', { text: `An inventory item has the SKU ${sku}.` })
    await deleteSkuMapping(tx, sku)
    const found = await findItemsToMap(tx, [id], by.now)
    const items = found.map(({ name }) => ({ sku, name, quantity: 1 }))
    return recordDecision(tx, 'sku.mapped', { sku, items }, by)
  }

  return {
    async list(state, { limit, cursor }) {
      const isIgnored = state === 'ignored'
      const offset = decodeOffset(cursor)
      const page = { offset, limit, trashedAfter: trashCutoff(clock.now()) }
      const [rows, total] = await (state === 'unknown'
        ? Promise.all([listUnknownSkus(sql, page), countUnknownSkus(sql)])
        : Promise.all([listDecidedSkus(sql, { isIgnored, ...page }), countDecidedSkus(sql, isIgnored)]))
      return mapPage(toOffsetPage(rows, { offset, limit, total }), present)
    },

    map: ({ sku, items: asked }, by) =>
      database.transaction(async (tx) => {
        await lockSku(tx, sku)
        const items = await readItems(tx, asked, by.now)
        const linked = await linkItemOf(tx, sku, by)
        if (linked) return linked
        const rows = items.map(({ item_id, quantity }) => ({ item_id, quantity }))
        const mapping = { sku, isIgnored: false, items: rows }
        await writeSkuMapping(tx, mapping, { by: actorColumns(by.actor), now: by.now })
        return recordDecision(tx, 'sku.mapped', { sku, items: items.map(({ audited }) => audited) }, by)
      }),

    ignore: (sku, by) =>
      database.transaction(async (tx) => {
        await lockSku(tx, sku)
        const linked = await linkItemOf(tx, sku, by)
        if (linked) return linked
        const mapping = { sku, isIgnored: true, items: [] }
        await writeSkuMapping(tx, mapping, { by: actorColumns(by.actor), now: by.now })
        return recordDecision(tx, 'sku.ignored', { sku }, by)
      }),

    forget: (sku, by) =>
      database.transaction(async (tx) => {
        await lockSku(tx, sku)
        if (!(await deleteSkuMapping(tx, sku))) return { sku, changed_orders: 0, proposed_cancellations: [] }
        return recordDecision(tx, 'sku.forgotten', { sku }, by)
      }),
  }
}
