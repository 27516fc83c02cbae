import type { ShippingAddress } from '@pegasus/contracts/orders/order-body'
import type { OrderStatus } from '@pegasus/contracts/statuses'
import { v7 as uuidv7 } from 'uuid'
import type { AuditContext } from '../../platform/actor.ts'
import type { Database, Queryable } from '../../platform/database/database.ts'
import { AppError, orThrow } from '../../platform/errors/app-error.ts'
import type { Moment } from '../../platform/database/row-changes.ts'
import type { FoundIds } from '../../platform/http/lists/known-rows.ts'
import { encodeCursor, pageRequestOf } from '../../platform/http/paging.ts'
import { type SearchWord, findTolerantly } from '../../platform/search/search-words.queries.ts'
import { publish } from '../events/index.ts'
import { findItemsOfSkus } from './skus/find-items.ts'
import { decodeDueCursor, encodeDueCursor } from './due-cursor.ts'
import {
  type OrderFilter,
  type FoundOrders,
  type OrderRow,
  findDueOrders,
  findOrder,
  findOrders,
  hasOrders,
  insertOrder,
  makeOrderNumber,
  readOrders,
} from './orders.queries.ts'
import { applySkuMappings } from './skus/sku-mappings.queries.ts'

interface RequestedPage {
  cursor?: string | undefined
  limit: number
}

/** A filter for orders, with the typed search instead of its words. */
export type OrderSearch = Omit<OrderFilter, 'words'> & { search?: string | undefined }

export interface Orders {
  /**
   * Finds a page of matching orders, and the rows that have changed since a given point. If no order has the words of
   * the search, finds orders with similar words. The latest placed order comes first; with `dueBefore`, the most
   * overdue order does. Throws INVALID_INPUT for a cursor of another list.
   */
  find(filter: OrderSearch, page: RequestedPage, since: Moment | null): Promise<FoundIds>
  /** Returns these orders. Orders that do not exist are left out. */
  read(ids: readonly string[]): Promise<OrderRow[]>
  /** Returns one order. Throws ORDER_NOT_FOUND. */
  get(id: string): Promise<OrderRow>
}

export function createOrders({ database: { sql } }: { database: Database }): Orders {
  return {
    async find({ search, ...filter }, request, since) {
      const { dueBefore } = filter
      const find = (words: readonly SearchWord[]) =>
        dueBefore === undefined
          ? findOrders(sql, { ...filter, words }, pageRequestOf(request), since)
          : findDueOrders(
              sql,
              { ...filter, words, dueBefore },
              { after: decodeDueCursor(request.cursor), limit: request.limit },
              since,
            )
      const { last, ...found } = await findTolerantly(sql, search, {
        find,
        hasWords: (words) => hasOrders(sql, { words }),
      })
      return { ...found, next: last && cursorAfter(last, dueBefore !== undefined) }
    },

    read: (ids) => readOrders(sql, ids),

    get: async (id) => orThrow(await findOrder(sql, id), 'ORDER_NOT_FOUND'),
  }
}

const cursorAfter = (last: NonNullable<FoundOrders['last']>, isByDue: boolean): string =>
  isByDue
    ? encodeDueCursor({ ...last, due_at: last.due_at ?? '' })
    : encodeCursor({ createdAt: last.placed_at, id: last.id })

export interface NewOrderLine {
  sku?: string
  name?: string
  quantity: number
  unitPriceMinor: number
  externalLineId?: string | null
}

/** A new order. The total may differ from the sum of the lines, and there may be no lines. */
export interface NewOrder {
  /** If empty, the next free number is used. */
  orderNumber?: string
  customerName: string
  customerEmail?: string | null
  shippingAddress?: Partial<ShippingAddress> | null
  status?: OrderStatus
  totalMinor: number
  shippingMinor?: number | null
  surchargeMinor?: number | null
  /** The money that the shop keeps of refunded pieces. */
  keptMinor?: number | null
  taxMinor?: number | null
  discountMinor?: number | null
  /** The fees of the shop or of the payment provider. */
  feeMinor?: number | null
  currency: string
  /** The time when the customer ordered. The default is now. */
  placedAt?: Date
  dueAt?: Date | null
  /** `main_site`, `integration`, `manual`, or the name of a connector. */
  source: string
  externalId?: string | null
  /**
   * Whether the pieces were shipped before the stock was kept here, so that the order takes no stock. The default is
   * false.
   */
  isHistory?: boolean
  notes?: string | null
  lines: readonly NewOrderLine[]
}

const refuse = (path: string, message: string): never => {
  throw new AppError('ORDER_INVALID', { text: message, errors: [{ path, message }] })
}

const isAmount = (minor: number): boolean => Number.isSafeInteger(minor) && minor >= 0

function check(order: NewOrder): void {
  if (!isAmount(order.totalMinor)) refuse('total_amount', 'total_amount must be 0 or more')
  order.lines.forEach((line, index) => {
    if (!Number.isInteger(line.quantity) || line.quantity < 1)
      refuse(`items.${index}.quantity`, 'quantity must be a whole number of 1 or more')
    if (!isAmount(line.unitPriceMinor)) refuse(`items.${index}.unit_price`, 'unit_price must be 0 or more')
  })
}

/**
 * Adds an order with its lines. Each line gets the item with its SKU. A line with an unknown SKU gets no
 * item. Returns the order's id. Throws ORDER_INVALID or ORDER_NUMBER_TAKEN, which comes from the database.
 */
export async function createOrder(tx: Queryable, order: NewOrder, by: AuditContext): Promise<string> {
  check(order)
  const id = uuidv7()
  const given = order.lines.map((line) => ({ ...line, sku: line.sku?.trim() ?? '' }))
  const items = await findItemsOfSkus(tx, given)
  const lines = given.map(({ sku, ...line }, position) => ({
    id: uuidv7(),
    order_id: id,
    position,
    external_line_id: line.externalLineId ?? null,
    sku,
    name: line.name?.trim() ?? '',
    quantity: line.quantity,
    unit_price_minor: line.unitPriceMinor,
    item_id: items.get(sku) ?? null,
  }))
  const row = {
    id,
    order_number: order.orderNumber?.trim() || (await makeOrderNumber(tx)),
    customer_name: order.customerName.trim(),
    customer_email: order.customerEmail ?? null,
    shipping_address: (order.shippingAddress ?? null) as ShippingAddress | null,
    shipping_minor: order.shippingMinor ?? null,
    surcharge_minor: order.surchargeMinor ?? null,
    kept_minor: order.keptMinor ?? null,
    tax_minor: order.taxMinor ?? null,
    discount_minor: order.discountMinor ?? null,
    fee_minor: order.feeMinor ?? null,
    status: order.status ?? 'pending',
    total_minor: order.totalMinor,
    currency: order.currency,
    placed_at: order.placedAt ?? by.now,
    due_at: order.dueAt ?? null,
    source: order.source,
    external_id: order.externalId ?? null,
    is_history: order.isHistory ?? false,
    is_settled: true,
    notes: order.notes ?? null,
    created_at: by.now,
    updated_at: by.now,
  }
  await insertOrder(tx, row, lines)
  await applySkuMappings(tx, { orderId: id }, by.now)
  await publish(tx, { type: 'created', entity: 'order', id })
  return id
}
