import type { Order } from '@pegasus/contracts/orders/orders'
import { expect, it } from 'vitest'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { anItem, anOrder } from '../../../../test/support/stock-factories.ts'

const ROUNDS = Number(process.env['PEGASUS_ROUNDS'] ?? '1000')
const PIECES = 3

it(`a line that two replicas ship at the same moment is shipped once, ${ROUNDS} of ${ROUNDS} times`, async () => {
  const first = await buildTestApp()
  const second = await first.replica()
  const headers = await first.as('staff')
  // The stock has more pieces than were ordered, so only the order itself can prevent a second shipment.
  const itemId = await anItem(first, { sku: 'HOOK', quantity: ROUNDS * PIECES * 2 })
  const lines = [{ sku: 'HOOK', name: 'Hook', quantity: PIECES, unitPriceMinor: 100 }]
  const tally: Record<string, number> = {}
  for (let round = 0; round < ROUNDS; round += 1) {
    const id = await anOrder(first, { lines })
    const url = `/api/orders/${id}`
    const [line] = (await first.http.inject({ url, headers })).json<Order>().items
    if (round % 3 === 0)
      await first.http.inject({ method: 'POST', url: `${url}/reserve`, headers, payload: {} })
    // Every second round ships all remaining pieces; the others name the line.
    const payload = round % 2 === 0 ? {} : { items: [{ line_id: line?.id, quantity: PIECES }] }
    const answers = await Promise.all(
      [first, second].map((app) => app.http.inject({ method: 'POST', url: `${url}/ship`, headers, payload })),
    )
    const statuses = answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)
    tally[statuses.join(' and ')] = (tally[statuses.join(' and ')] ?? 0) + 1
    const after = (await second.http.inject({ url, headers })).json<Order>()
    expect(after).toMatchObject({
      status: 'completed',
      items: [{ shipped_quantity: PIECES, reserved_quantity: 0 }],
    })
    expect(after.shipments).toHaveLength(1)
  }
  console.info('two replicas shipping the same line:', tally)
  expect(tally).toEqual({ '201 and 409': ROUNDS })
  const stock = await first.http.inject({ url: `/api/inventory/${itemId}`, headers })
  expect(stock.json()).toMatchObject({ quantity: ROUNDS * PIECES, reserved_quantity: 0 })
})
