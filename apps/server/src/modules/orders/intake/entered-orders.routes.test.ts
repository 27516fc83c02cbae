import type { Order } from '@pegasus/contracts/orders/orders'
import { expect, it } from 'vitest'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'

it('an order is entered as pending or on hold, and not with a status that follows from its handling', async () => {
  const app = await buildTestApp()
  const headers = await app.as('staff')
  const enter = (payload: object) => app.http.inject({ method: 'POST', url: '/api/orders', headers, payload })
  for (const status of ['in_progress', 'completed', 'cancelled', 'lost']) {
    const answer = await enter({ customer_name: 'Ada', status })
    const message = expect.stringContaining('A new order is pending or on_hold.')
    expect([answer.statusCode, answer.json()]).toMatchObject([422, { errors: [{ message }] }])
  }
  for (const status of ['pending', 'on_hold'])
    expect((await enter({ status })).json<Order>()).toMatchObject({ status })
  expect((await enter({})).json<Order>()).toMatchObject({ status: 'pending' })
})
