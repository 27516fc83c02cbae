import type { Order } from '@pegasus/contracts/orders/orders'
import { expect, it } from 'vitest'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { anOrder } from '../../../../test/support/stock-factories.ts'

it('an open order without lines is ready to pack, in its response, the list, the search and the figures', async () => {
  const app = await buildTestApp()
  const headers = await app.as('staff')
  const id = await anOrder(app, { orderNumber: 'EMPTY-1' })
  await anOrder(app, {
    orderNumber: 'SHORT-1',
    lines: [{ sku: 'HOOK', quantity: 1, unitPriceMinor: 100 }],
  })
  const get = async <T>(url: string) => (await app.http.inject({ url, headers })).json<T>()
  const idsOf = async (stock: string) =>
    (await get<Order[]>(`/api/orders?stock=${stock}`)).map((order) => order.order_number)
  const readings = async () => ({
    order: (await get<Order>(`/api/orders/${id}`)).ready_to_pack,
    hit: (await get<{ hits: object[] }>('/api/search?search=EMPTY-1')).hits,
    figure: (await get<{ orders_ready_to_pack: number }>('/api/stats')).orders_ready_to_pack,
    lists: [await idsOf('ready'), await idsOf('short')],
  })
  expect(await readings()).toMatchObject({
    order: true,
    hit: [{ kind: 'order', ready_to_pack: true }],
    figure: 1,
    lists: [['EMPTY-1'], ['SHORT-1']],
  })
  await app.http.inject({ method: 'POST', url: `/api/orders/${id}/hold`, headers })
  expect(await readings()).toMatchObject({
    order: false,
    hit: [{ kind: 'order', ready_to_pack: false }],
    figure: 0,
    lists: [[], ['SHORT-1']],
  })
})
