import { createOrder } from '../src/modules/orders/index.ts'
import type { AuditContext } from '../src/platform/actor.ts'
import type { Queryable } from '../src/platform/database/database.ts'
import { call, signedInAs } from './call.ts'
import { DAY_MS, MINUTE_MS } from '../src/platform/clock.ts'
import { passwordOf } from './people.ts'
import type { Shop } from './shop.ts'
import { DEMO_CUSTOMERS } from './stock/customers.ts'
import type { StockedItem } from './stock/steps.ts'

/** A SKU that no item has, so that the list of unknown SKUs is not empty. */
export const UNKNOWN_SKU = 'GIFT-BOX'
const GIFT_BOX_MINOR = 350
const GIFT_MINUTES_AGO = 20
/** A parcel is on its way for some days before a customer can send it back. */
const RETURNED_AFTER_DAYS = 6

/** Adds an open order with one known item and one unknown SKU. */
export async function addOrderWithUnknownSku(
  tx: Queryable,
  { item, currency }: { item: StockedItem; currency: string },
  by: AuditContext,
): Promise<void> {
  const placedAt = new Date(by.now.getTime() - GIFT_MINUTES_AGO * MINUTE_MS)
  const [last] = await tx<[{ serial: number }]>`
    select coalesce(max(right(order_number, 4)::int), 0) as serial from orders where order_number ~ '^PO-\\d{8}-\\d{4}$'`
  const customer = DEMO_CUSTOMERS.find(({ name }) => name === 'Keiko Tanaka')
  const date = placedAt.toISOString().slice(0, 10).replaceAll('-', '')
  const order = {
    orderNumber: `PO-${date}-${String(last.serial + 1).padStart(4, '0')}`,
    customerName: customer?.name ?? '',
    customerEmail: customer?.email ?? null,
    shippingAddress: customer?.address ?? null,
    totalMinor: item.priceMinor + GIFT_BOX_MINOR,
    currency,
    placedAt,
    source: 'manual',
    externalId: null,
    notes: 'Please wrap it as a gift.',
    lines: [
      { sku: item.sku, name: item.name, quantity: 1, unitPriceMinor: item.priceMinor },
      { sku: UNKNOWN_SKU, name: 'Gift box', quantity: 1, unitPriceMinor: GIFT_BOX_MINOR },
    ],
  }
  await createOrder(tx, order, by)
}

/**
 * Books the return of a damaged piece of an order that was shipped some days ago, as a person would. Does nothing if the
 * shop has a return. Returns whether a return was booked.
 */
export async function addReturn(shop: Shop): Promise<boolean> {
  const [line] = await shop.database.sql<{ id: string; order_id: string }[]>`
    select l.id, l.order_id from order_lines l join orders o on o.id = l.order_id
    where o.status = 'completed' and l.shipped_quantity > 0 and not exists (select from order_returns)
      and o.placed_at < ${new Date(shop.clock.now().getTime() - RETURNED_AFTER_DAYS * DAY_MS)}
    order by o.placed_at desc, l.position limit 1`
  if (!line) return false
  const piece = { line_id: line.id, quantity: 1, to: 'scrap', reason: 'Broken on the way' }
  await signedInAs(shop, { username: 'staff', password: passwordOf(shop) }, async (headers) => {
    const url = `/api/orders/${line.order_id}/return`
    await call(shop, { method: 'POST', url, payload: { items: [piece] }, headers })
  })
  return true
}
