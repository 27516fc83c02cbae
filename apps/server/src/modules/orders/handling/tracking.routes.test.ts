import type { Order } from '@pegasus/contracts/orders/orders'
import { expect, it } from 'vitest'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { anItem, anOrder } from '../../../../test/support/stock-factories.ts'

it('the tracking of a shipment can be added and corrected after it was shipped', async () => {
  const app = await buildTestApp()
  const staff = await app.as('staff')
  await anItem(app, { sku: 'HOOK', quantity: 1 })
  const id = await anOrder(app, { lines: [{ sku: 'HOOK', name: 'Hook', quantity: 1, unitPriceMinor: 100 }] })
  const url = `/api/orders/${id}`
  const read = async () => (await app.http.inject({ url, headers: staff })).json<Order>()
  const post = (what: string, payload: object) =>
    app.http.inject({ method: 'POST', url: `${url}/${what}`, headers: staff, payload })
  await post('ship', {})
  const [first] = (await read()).shipments
  const change = async (payload: object, shipmentId = first?.id, headers = staff) => {
    const match = { 'if-match': `"${(await read()).revision}"` }
    return app.http.inject({
      method: 'PATCH',
      url: `${url}/shipments/${shipmentId}`,
      headers: { ...headers, ...match },
      payload,
    })
  }
  const tracking = { carrier: 'DHL', tracking_number: 'JD01', tracking_url: 'https://dhl.example/JD01' }
  expect((await change(tracking)).json()).toMatchObject({ shipments: [tracking] })
  const corrected = await change({ tracking_number: 'JD02' })
  expect(corrected.json()).toMatchObject({ shipments: [{ ...tracking, tracking_number: 'JD02' }] })
  // Repeating the number writes no second entry into the history. Null clears the address.
  await change({ tracking_number: 'JD02' })
  await change({ tracking_url: null })
  expect((await read()).shipments).toMatchObject([{ carrier: 'DHL', tracking_url: null }])
  const history = await app.http.inject({ url: `/api/orders/${id}/history`, headers: staff })
  expect(history.json<{ action: string; reason: string | null }[]>()).toMatchObject([
    { reason: 'Tracking of shipment 1: DHL JD02 https://dhl.example/JD01 was changed to DHL JD02.' },
    {
      reason:
        'Tracking of shipment 1: DHL JD01 https://dhl.example/JD01 was changed to DHL JD02 https://dhl.example/JD01.',
    },
    {
      action: 'order.tracking_changed',
      reason: 'Tracking of shipment 1: DHL JD01 https://dhl.example/JD01 was entered.',
    },
    { action: 'order.shipped' },
  ])
  const carriers = await app.http.inject({ url: '/api/orders/carriers', headers: staff })
  expect(carriers.json()).toEqual(['DHL'])

  for (const body of [{ tracking_url: 'javascript:alert(1)' }, { carrier: 'x'.repeat(101) }, { carrier: 7 }])
    expect((await change(body)).statusCode).toBe(422)
  expect((await change(tracking, crypto.randomUUID())).statusCode).toBe(422)
  await post('undo-shipment', { shipment_id: first?.id })
  expect((await change(tracking)).statusCode).toBe(422)
  expect((await change(tracking, first?.id, await app.as('viewer'))).statusCode).toBe(403)
})

it('two people who correct the tracking of a shipment do not overwrite each other', async () => {
  const app = await buildTestApp()
  const staff = await app.as('staff')
  await anItem(app, { sku: 'HOOK', quantity: 1 })
  const id = await anOrder(app, { lines: [{ sku: 'HOOK', name: 'Hook', quantity: 1, unitPriceMinor: 100 }] })
  const url = `/api/orders/${id}`
  const shipped = (
    await app.http.inject({ method: 'POST', url: `${url}/ship`, headers: staff, payload: {} })
  ).json<Order>()
  const change = (payload: object, headers: Record<string, string>) =>
    app.http.inject({
      method: 'PATCH',
      url: `${url}/shipments/${shipped.shipments[0]?.id}`,
      headers: { ...staff, ...headers },
      payload,
    })
  const seen = { 'if-match': `"${shipped.revision}"` }
  const first = await change({ tracking_number: 'JD01' }, seen)
  expect([first.statusCode, first.headers.etag]).toEqual([200, `"${first.json<Order>().revision}"`])
  const second = await change({ tracking_number: 'JD02' }, seen)
  expect([second.statusCode, second.json()]).toEqual([
    412,
    expect.objectContaining({
      code: 'precondition_failed',
      current: expect.objectContaining({ shipments: [expect.objectContaining({ tracking_number: 'JD01' })] }),
    }),
  ])
  expect((await change({ tracking_number: 'JD02' }, {})).statusCode).toBe(428)
  expect((await change({ tracking_number: 'JD02' }, { 'if-match': '*' })).json()).toMatchObject({
    shipments: [{ tracking_number: 'JD02' }],
  })
})
