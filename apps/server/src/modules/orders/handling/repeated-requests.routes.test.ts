import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import type { Order } from '@pegasus/contracts/orders/orders'
import { expect, it } from 'vitest'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { expectOneResponse } from '../../../../test/support/repeated-requests.ts'
import { anItem, anOrder } from '../../../../test/support/stock-factories.ts'

it('T93 repeated requests to reserve, release or take back pieces with one key move the pieces once', async () => {
  const app = await buildTestApp()
  const headers = await app.as('staff')
  const hook = await anItem(app, { sku: 'HOOK', quantity: 10 })
  const id = await anOrder(app, {
    lines: [{ sku: 'HOOK', name: 'A hook', quantity: 9, unitPriceMinor: 100 }],
  })
  const [line] = (await app.http.inject({ url: `/api/orders/${id}`, headers })).json<Order>().items
  const request = (what: string, quantity: number) => ({
    url: `/api/orders/${id}/${what}`,
    payload: { items: [{ line_id: line?.id, quantity }] },
  })
  /** Sends the requests. Returns their status, and the quantity and the number of reserved pieces of the item. */
  const once = async (what: string, quantity: number) => {
    const { statusCode } = await expectOneResponse(
      app,
      headers,
      request(what, quantity),
      request(what, quantity - 1),
    )
    const item = await app.http.inject({ url: `/api/inventory/${hook}`, headers })
    const stock = item.json<InventoryItem>()
    return [statusCode, stock.quantity, stock.reserved_quantity]
  }
  expect(await once('reserve', 4)).toEqual([200, 10, 4])
  expect(await once('release', 2)).toEqual([200, 10, 2])
  await app.http.inject({ method: 'POST', url: `/api/orders/${id}/ship`, headers })
  expect(await once('return', 3)).toEqual([200, 4, 0])
})
