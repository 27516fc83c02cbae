import { expect, it } from 'vitest'
import { addedItem, callsOf } from '../../../../test/support/api-calls.ts'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'

const shop = async () => {
  const app = await buildTestApp()
  const staff = callsOf(app, await app.as('staff'))
  const act = (id: string, what: string, body: object) => staff(`POST /api/inventory/${id}/${what}`, body)
  return { staff, act }
}

it('a stock adjustment accepts every kind of movement that changes a quantity', async () => {
  const { act, staff } = await shop()
  const { id } = await addedItem(staff, { quantity: 10 })
  const kinds = { adjust: -1, receive: 5, produce: 2, ship: -3, return: 1, count: -4, scrap: -2 }
  for (const [kind, delta] of Object.entries(kinds))
    expect((await act(id, 'adjust', { delta, kind, reason: 'Shelf' })).json()).toMatchObject({
      movement: { kind, delta, document: null },
    })
  expect((await staff(`GET /api/inventory/${id}`)).json()).toMatchObject({ quantity: 8 })
})

it('a count that is sent as an adjustment releases reserved pieces that are missing', async () => {
  const { act, staff } = await shop()
  const { id } = await addedItem(staff, { quantity: 10 })
  await act(id, 'reserve', { quantity: 8 })
  const counted = await act(id, 'adjust', { delta: -3, kind: 'count' })
  expect(counted.json()).toMatchObject({ quantity: 7, reserved_quantity: 7, movement: { kind: 'count' } })
})
