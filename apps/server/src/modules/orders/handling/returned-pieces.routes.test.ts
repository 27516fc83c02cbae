import type { Order } from '@pegasus/contracts/orders/orders'
import { describe, expect, it } from 'vitest'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { anItem, anOrder } from '../../../../test/support/stock-factories.ts'
import { claimLowStockCrossings } from '../../inventory/index.ts'

describe('pieces that come back', () => {
  it('the return of a broken piece does not report the item as low again', async () => {
    const app = await buildTestApp()
    const headers = await app.as('staff')
    const item = await anItem(app, { sku: 'HOOK', quantity: 10 })
    const payload = { reorder_point: 8 }
    await app.http.inject({ method: 'PUT', url: `/api/inventory/${item}`, headers, payload })
    const id = await anOrder(app, {
      lines: [{ sku: 'HOOK', name: 'A hook', quantity: 2, unitPriceMinor: 100 }],
    })
    const shipped = await app.http.inject({ method: 'POST', url: `/api/orders/${id}/ship`, headers })
    const take = () => app.database.transaction((tx) => claimLowStockCrossings(tx))
    expect(await take()).toMatchObject([{ sku: 'HOOK', quantity: 8 }])
    const [line] = shipped.json<Order>().items
    const returned = await app.http.inject({
      method: 'POST',
      url: `/api/orders/${id}/return`,
      headers,
      payload: { items: [{ line_id: line?.id, quantity: 2, to: 'scrap' }] },
    })
    expect(returned.statusCode).toBe(200)
    expect(await take()).toEqual([])
  })
})
