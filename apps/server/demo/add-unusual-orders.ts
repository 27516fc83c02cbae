import { createOrder } from '../src/modules/orders/index.ts'
import type { AuditContext } from '../src/platform/actor.ts'
import type { Queryable } from '../src/platform/database/database.ts'
import { call, signedInAs } from './call.ts'
import { passwordOf } from './people.ts'
import type { Shop } from './shop.ts'
import type { StockedItem } from './stock/steps.ts'

/** A SKU that no item has, so that the list of unknown SKUs is not empty. */
export const UNKNOWN_SKU = 'GIFT-BOX'
const GIFT_BOX_MINOR = 350

/** Adds an open order with one known item and one unknown SKU. */
export async function addOrderWithUnknownSku(
  tx: Queryable,
  { item, currency }: { item: StockedItem; currency: string },
  by: AuditContext,
): Promise<void> {
  const order = {
    orderNumber: `PO-${by.now.toISOString().slice(0, 10).replaceAll('-', '')}-GIFT`,
    customerName: 'Keiko Tanaka',
    customerEmail: 'keiko.tanaka@mail.example',
    totalMinor: item.priceMinor + GIFT_BOX_MINOR,
    currency,
    placedAt: by.now,
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
 * Books the return of a damaged piece of the newest shipped order, as a person would. Does nothing if the
 * shop has a return. Returns whether a return was booked.
 */
export async function addReturn(shop: Shop): Promise<boolean> {
  const [line] = await shop.database.sql<{ id: string; order_id: string }[]>`
    select l.id, l.order_id from order_lines l join orders o on o.id = l.order_id
    where o.status = 'completed' and l.shipped_quantity > 0 and not exists (select from order_returns)
    order by o.placed_at desc, l.position limit 1`
  if (!line) return false
  const piece = { line_id: line.id, quantity: 1, to: 'scrap', reason: 'Broken on the way' }
  await signedInAs(shop, { username: 'staff', password: passwordOf(shop) }, async (headers) => {
    const url = `/api/orders/${line.order_id}/return`
    await call(shop, { method: 'POST', url, payload: { items: [piece] }, headers })
  })
  return true
}
