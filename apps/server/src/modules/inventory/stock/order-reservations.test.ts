import type { StockMovement } from '@pegasus/contracts/inventory/stock-movements'
import type { Order } from '@pegasus/contracts/orders/orders'
import { expect, it } from 'vitest'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { addedItem, callsOf } from '../../../../test/support/api-calls.ts'
import { anOrder } from '../../../../test/support/stock-factories.ts'

async function shop() {
  const app = await buildTestApp()
  const staff = callsOf(app, await app.as('staff'))
  const undo = (movementId: string) => staff(`POST /api/stock-movements/${movementId}/undo`)
  return { app, staff, undo }
}

it('no pieces can be reserved for a finished or deleted order, not even by undoing a release', async () => {
  const { app, staff, undo } = await shop()
  const { id } = await addedItem(staff, { sku: 'HOOK', quantity: 9 })
  const lines = [{ sku: 'HOOK', name: 'Hook', quantity: 3, unitPriceMinor: 100 }]
  const [ended, gone] = [await anOrder(app, { orderNumber: 'E-1', lines }), await anOrder(app, { lines })]
  await staff(`POST /api/orders/${ended}/reserve`)
  await staff(`POST /api/orders/${ended}/cancel`)
  const [release] = (await staff(`GET /api/inventory/${id}/movements`)).json<StockMovement[]>()
  const sentence = 'Order E-1 is cancelled, so nothing can be reserved for it.'
  const undone = await undo(release?.id ?? '')
  expect([release?.kind, undone.status, undone.detail()]).toEqual(['release', 409, sentence])
  const reserved = await staff(`POST /api/inventory/${id}/reserve`, { quantity: 1, order_id: ended })
  expect([reserved.status, reserved.detail()]).toEqual([409, sentence])
  expect((await staff(`DELETE /api/orders/${gone}`, undefined, { 'if-match': '*' })).status).toBe(204)
  expect((await staff(`POST /api/inventory/${id}/reserve`, { quantity: 1, order_id: gone })).status).toBe(404)
  expect((await staff(`GET /api/inventory/${id}`)).json()).toMatchObject({ reserved_quantity: 0 })
})

it('undoing a reservation takes the pieces from the line for which they were reserved', async () => {
  const { app, staff, undo } = await shop()
  const { id } = await addedItem(staff, { sku: 'HOOK', quantity: 9 })
  const line = { sku: 'HOOK', name: 'Hook', quantity: 3, unitPriceMinor: 100 }
  const orderId = await anOrder(app, { lines: [line, line] })
  const { items } = (await staff(`GET /api/orders/${orderId}`)).json<Order>()
  for (const each of items)
    await staff(`POST /api/orders/${orderId}/reserve`, { items: [{ line_id: each.id, quantity: 2 }] })
  const [, first] = (await staff(`GET /api/inventory/${id}/movements`)).json<StockMovement[]>()
  expect((await undo(first?.id ?? '')).status).toBe(200)
  const after = (await staff(`GET /api/orders/${orderId}`)).json<Order>()
  expect(after.items.map((each) => each.reserved_quantity)).toEqual([0, 2])
})
