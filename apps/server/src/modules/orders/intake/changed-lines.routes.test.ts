import type { IntegrationOrder } from '@pegasus/contracts/integration'
import type { Order } from '@pegasus/contracts/orders/orders'
import { expect, it } from 'vitest'
import { aKey, keyHeader } from '../../../../test/support/accounts/api-keys.ts'
import { type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { aPrintJob, anItem } from '../../../../test/support/stock-factories.ts'

const send = (app: TestApp, key: string, payload: object) =>
  app.http.inject({ method: 'POST', url: '/api/integration/orders', headers: keyHeader(key), payload })

const sent = async (app: TestApp, key: string, payload: object): Promise<IntegrationOrder> => {
  const answer = await send(app, key, payload)
  if (answer.statusCode > 201) throw new Error(`${answer.statusCode} ${answer.body}`)
  return answer.json<IntegrationOrder>()
}

const HOOK = { sku: 'HOOK-1', name: 'Wall hook', quantity: 3, unit_price: 18.5 }
const STICKER = { sku: 'NOT-OURS', name: 'Sticker', quantity: 1, unit_price: 0 }
const ORDER = { order_number: 'A-1', total_amount: 70 }

it('if POST /api/integration/orders omits the first line, the second line keeps its jobs, pieces and shipments', async () => {
  const app = await buildTestApp()
  const { key } = await aKey(app, { scope: ['integration'] })
  const gear = await anItem(app, { sku: 'GEAR', quantity: 2 })
  await anItem(app, { sku: 'HOOK-1', quantity: 7 })
  const line = { sku: 'GEAR', name: 'Gear', quantity: 4, unit_price: 1 }
  const {
    id,
    items: [hook],
  } = await sent(app, key, { ...ORDER, items: [HOOK, line] })
  const staff = await app.as('staff')
  const act = async (action: string, payload: object) => {
    const url = `/api/orders/${id}/${action}`
    const answer = await app.http.inject({ method: 'POST', url, headers: staff, payload })
    if (answer.statusCode > 201) throw new Error(answer.body)
    return answer.json<Order>()
  }
  await aPrintJob(app, { orderId: id, itemId: gear, quantity: 2 })
  // A line can be removed even if one of its shipments was undone.
  const taken = await act('ship', {
    items: [{ line_id: hook?.id, quantity: 1 }],
  })
  await act('undo-shipment', { shipment_id: taken.shipments[0]?.id })
  await act('ship', { items: [{ line_id: taken.items[1]?.id, quantity: 1 }] })
  await act('reserve', { items: [{ line_id: taken.items[1]?.id, quantity: 1 }] })
  const { items } = await sent(app, key, { ...ORDER, items: [{ ...line, name: 'A gear' }] })
  expect(items).toMatchObject([
    {
      id: taken.items[1]?.id,
      name: 'A gear',
      shipped_quantity: 1,
      reserved_quantity: 1,
      queued_quantity: 2,
      missing_quantity: 0,
    },
  ])
  const swapped = await sent(app, key, { ...ORDER, items: [HOOK, line, STICKER] })
  expect(swapped.items.map(({ sku, queued_quantity: queued }) => [sku, queued])).toEqual([
    ['HOOK-1', 0],
    ['GEAR', 2],
    ['NOT-OURS', 0],
  ])
  const gone = await send(app, key, { ...ORDER, items: [HOOK] })
  expect([gone.statusCode, gone.json<{ detail: string }>().detail]).toEqual([
    409,
    expect.stringContaining('cannot be replaced'),
  ])
})
