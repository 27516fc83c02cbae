import type { Order } from '@pegasus/contracts/orders/orders'
import { describe, expect, it } from 'vitest'
import { auditOf } from '../../../../test/support/accounts/api-keys.ts'
import { DAY_MS, addMs } from '../../../platform/clock.ts'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { aPrintJob, anItem, anOrder } from '../../../../test/support/stock-factories.ts'

type Headers = Record<string, string>

const aLine = (quantity: number, sku = 'HOOK') => ({ sku, name: `A ${sku}`, quantity, unitPriceMinor: 100 })

/** Adds two items with stock, and returns helpers that call the API as staff. */
async function aShop(stock: { HOOK?: number; PEG?: number } = {}) {
  const app = await buildTestApp()
  const staff = await app.as('staff')
  const hook = await anItem(app, { sku: 'HOOK', quantity: stock.HOOK ?? 10 })
  const peg = await anItem(app, { sku: 'PEG', quantity: stock.PEG ?? 10 })
  const call = (
    url: string,
    payload?: object,
    headers: Headers = {},
    method: 'POST' | 'PUT' | 'DELETE' = 'POST',
  ) => app.http.inject({ method, url, headers: { ...staff, ...headers }, ...(payload && { payload }) })
  const act = async (id: string, what: string, payload?: object) => {
    const answer = await call(`/api/orders/${id}/${what}`, payload)
    return { status: answer.statusCode, body: answer.json<Order & { detail: string; code: string }>() }
  }
  const read = async (id: string) =>
    (await app.http.inject({ url: `/api/orders/${id}`, headers: staff })).json<Order>()
  /** Returns the quantity and the number of reserved pieces of an item. */
  const stockOf = async (itemId: string) => {
    const item = await app.http.inject({ url: `/api/inventory/${itemId}`, headers: staff })
    const { quantity, reserved_quantity } = item.json<{ quantity: number; reserved_quantity: number }>()
    return [quantity, reserved_quantity]
  }
  return { app, staff, hook, peg, call, act, read, stockOf }
}

const linesOf = (order: Order) =>
  order.items.map((line) => [line.shipped_quantity, line.reserved_quantity, line.returned_quantity])

describe('handling an order', () => {
  it('an order is reserved in part, shipped in two parcels, and then completed', async () => {
    const { app, hook, act, read, stockOf } = await aShop()
    const id = await anOrder(app, { lines: [aLine(3), aLine(2, 'PEG')] })
    const [first, second] = (await read(id)).items.map((line) => line.id)
    const reserved = await act(id, 'reserve', { items: [{ line_id: first, quantity: 2 }] })
    expect([reserved.status, reserved.body.status, linesOf(reserved.body)]).toEqual([
      200,
      'in_progress',
      [
        [0, 2, 0],
        [0, 0, 0],
      ],
    ])
    const parcel = { carrier: 'DHL', tracking_number: 'JD01', tracking_url: 'https://dhl.example/JD01' }
    const shipped = await act(id, 'ship', { items: [{ line_id: first, quantity: 3 }], ...parcel })
    expect([shipped.status, shipped.body.status, linesOf(shipped.body)]).toEqual([
      201,
      'in_progress',
      [
        [3, 0, 0],
        [0, 0, 0],
      ],
    ])
    expect(shipped.body.shipments).toMatchObject([
      { number: 1, ...parcel, items: [{ line_id: first, quantity: 3 }] },
    ])
    expect(await stockOf(hook)).toEqual([7, 0])
    const rest = await act(id, 'ship')
    expect(rest.body).toMatchObject({
      status: 'completed',
      shipments: [{ number: 1 }, { number: 2, carrier: null, items: [{ line_id: second, quantity: 2 }] }],
    })
    expect((await act(id, 'ship')).body.detail).toContain('is completed')
    expect((await auditOf(app, 'order')).map(({ action }) => action)).toEqual([
      'order.reserved',
      'order.shipped',
      'order.shipped',
    ])
  })

  it('a request without a body reserves all free pieces that an order needs, or releases all its reserved pieces', async () => {
    const { app, hook, act, stockOf } = await aShop({ HOOK: 2 })
    const id = await anOrder(app, { lines: [aLine(3), aLine(1, 'PEG'), aLine(1, 'UNKNOWN')] })
    expect(linesOf((await act(id, 'reserve')).body)).toEqual([
      [0, 2, 0],
      [0, 1, 0],
      [0, 0, 0],
    ])
    expect(await stockOf(hook)).toEqual([2, 2])
    expect(linesOf((await act(id, 'release')).body).flat()).toEqual(Array(9).fill(0))
    expect(await stockOf(hook)).toEqual([2, 0])
  })

  it('two lines of one item are reserved and shipped separately', async () => {
    const { app, act, read } = await aShop()
    const id = await anOrder(app, { lines: [aLine(2), aLine(3)] })
    const second = (await read(id)).items[1]?.id
    expect(linesOf((await act(id, 'reserve', { items: [{ line_id: second, quantity: 3 }] })).body)).toEqual([
      [0, 0, 0],
      [0, 3, 0],
    ])
    expect(linesOf((await act(id, 'ship', { items: [{ line_id: second, quantity: 2 }] })).body)).toEqual([
      [0, 0, 0],
      [2, 1, 0],
    ])
  })

  it('undoing a shipment returns its pieces to stock and reserves them again, and works only once', async () => {
    const { app, hook, act, stockOf } = await aShop()
    const id = await anOrder(app, { lines: [aLine(4)] })
    await act(id, 'reserve')
    const shipped = await act(id, 'ship')
    const shipment_id = shipped.body.shipments[0]?.id
    expect([shipped.body.status, await stockOf(hook)]).toEqual(['completed', [6, 0]])
    const back = await act(id, 'undo-shipment', { shipment_id })
    expect([back.status, back.body.status, back.body.shipments, linesOf(back.body)]).toEqual([
      200,
      'in_progress',
      [],
      [[0, 4, 0]],
    ])
    expect(await stockOf(hook)).toEqual([10, 4])
    expect((await act(id, 'undo-shipment', { shipment_id })).status).toBe(422)
    const again = await act(id, 'ship')
    expect(again.body.shipments).toMatchObject([{ number: 2, has_returned_pieces: false }])

    // Shipments can be undone for any length of time.
    const longAgo = addMs(app.clock.now(), -40 * DAY_MS)
    await app.database.sql`update shipments set created_at = ${longAgo} where order_id = ${id}`
    const late = await act(id, 'undo-shipment', { shipment_id: again.body.shipments[0]?.id })
    expect([late.status, linesOf(late.body)]).toEqual([200, [[0, 4, 0]]])
    expect(await stockOf(hook)).toEqual([10, 4])
  })

  it('a movement that belongs to a shipment cannot be undone in the inventory', async () => {
    const { app, hook, act, call, staff } = await aShop()
    const id = await anOrder(app, { lines: [aLine(1)] })
    await act(id, 'ship')
    const movements = await app.http.inject({ url: `/api/inventory/${hook}/movements`, headers: staff })
    const [{ id: movementId } = { id: '' }] = movements.json<{ id: string }[]>()
    expect((await call(`/api/stock-movements/${movementId}/undo`)).json()).toMatchObject({
      code: 'movement_not_undoable',
    })
  })

  it('a return moves at most the shipped pieces, back into stock or to scrap', async () => {
    const { app, hook, act, read, stockOf } = await aShop()
    const id = await anOrder(app, { lines: [aLine(3)] })
    const line_id = (await read(id)).items[0]?.id
    await act(id, 'ship')
    const items = [
      { line_id, quantity: 1, to: 'stock' },
      { line_id, quantity: 1, to: 'scrap', reason: 'Broken on the way' },
    ]
    const back = await act(id, 'return', { items })
    expect([back.body.status, linesOf(back.body), await stockOf(hook)]).toEqual([
      'completed',
      [[3, 0, 2]],
      [8, 0],
    ])
    const refused = await act(id, 'return', { items: [{ line_id, quantity: 2, to: 'stock' }] })
    expect([refused.status, refused.body.detail]).toEqual([
      422,
      'Only 1 of “A HOOK” (HOOK) can be returned: the others were not shipped, or have already been returned.',
    ])
    const shipment_id = back.body.shipments[0]?.id
    expect(back.body.shipments).toMatchObject([{ has_returned_pieces: true }])
    expect((await act(id, 'undo-shipment', { shipment_id })).status).toBe(409)
  })

  it('cancelling an order proposes to cancel its waiting jobs, but none that is printing or was held after its start', async () => {
    const { app, hook, act, call } = await aShop()
    const id = await anOrder(app, { lines: [aLine(12)] })
    const job = () => aPrintJob(app, { itemId: hook, orderId: id, quantity: 3 })
    const [held, late, waiting, between] = [await job(), await job(), await job(), await job()]
    const step = (jobId: string, what: string, body = {}) => call(`/api/print-queue/${jobId}/${what}`, body)
    await step(held, 'start')
    await step(held, 'hold')
    await step(between, 'start', { pieces: 1 })
    expect((await step(between, 'complete', { good_quantity: 1 })).json()).toMatchObject({
      status: 'pending',
      good_quantity: 1,
    })
    const { body } = await act(id, 'cancel')
    expect(body).toMatchObject({ proposed_cancellations: [late, waiting, between].toSorted() })

    await step(late, 'start')
    const statuses = []
    for (const jobId of [held, late, waiting, between]) {
      const answer = await step(jobId, 'cancel', { only_if_not_started: true })
      statuses.push([answer.statusCode, answer.json<{ detail?: string }>().detail])
    }
    const kept = (why: string) => [
      409,
      expect.stringMatching(new RegExp(`^J-\\d{5} ${why}, so it is not cancelled\\.$`)),
    ]
    const done = [200, undefined]
    expect(statuses).toEqual([kept('was put on hold after its start'), kept('is being printed'), done, done])
    // A second cancellation proposes no job, because the remaining jobs are being printed or were put on hold.
    expect((await act(id, 'cancel')).body).toMatchObject({ proposed_cancellations: [] })
    // A person can still cancel a started job on purpose.
    expect((await step(late, 'cancel')).statusCode).toBe(200)

    const together = await job()
    const answers = await Promise.all([
      step(together, 'start'),
      step(together, 'cancel', { only_if_not_started: true }),
    ])
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 409])
  })

  it('a person can hold, resume, complete or cancel an order, and cancelling it lists the jobs that could be cancelled too', async () => {
    const { app, hook, act, stockOf } = await aShop({ HOOK: 1 })
    const id = await anOrder(app, { lines: [aLine(3)] })
    await act(id, 'reserve')
    const waiting = await aPrintJob(app, { itemId: hook, orderId: id, quantity: 1 })
    expect((await act(id, 'hold')).body).toMatchObject({ status: 'on_hold', ready_to_pack: false })
    expect((await act(id, 'ship')).body.detail).toMatch(/is on hold\. Resume it first\.$/)
    expect((await act(id, 'resume')).body.status).toBe('in_progress')
    const cancelled = await act(id, 'cancel')
    expect(cancelled.body).toMatchObject({ status: 'cancelled', proposed_cancellations: [waiting] })
    expect(await stockOf(hook)).toEqual([1, 0])
    expect((await act(id, 'resume')).status).toBe(409)

    const short = await anOrder(app, { lines: [aLine(3)] })
    await act(short, 'ship', {
      items: [{ line_id: (await act(short, 'reserve')).body.items[0]?.id, quantity: 1 }],
    })
    const refused = await act(short, 'complete')
    expect([refused.status, refused.body.detail]).toEqual([
      409,
      '2 pieces are not shipped. Ship them, or complete the order without them.',
    ])
    expect((await act(short, 'complete', { close_short: true })).body).toMatchObject({ status: 'completed' })
  })
})

describe('orders that people enter', () => {
  it('an order can be entered with its own number, changed, deleted and restored', async () => {
    const { hook, call, act, read, stockOf } = await aShop()
    const body = {
      customer_name: 'Ada',
      shipping_amount: 4,
      discount_amount: 1,
      items: [{ sku: 'hook', quantity: 2, unit_price: 5 }],
    }
    const answer = await call('/api/orders', body, { 'idempotency-key': 'once' })
    const order = answer.json<Order>()
    expect([answer.statusCode, order]).toMatchObject([
      201,
      { order_number: /^PO-\d{5}$/.exec(order.order_number)?.[0], source: 'manual', total_amount: 13 },
    ])
    expect((await call('/api/orders', body, { 'idempotency-key': 'once' })).json()).toEqual(order)
    await act(order.id, 'reserve')

    expect((await call(`/api/orders/${order.id}`, { notes: 'x' }, {}, 'PUT')).statusCode).toBe(428)
    const stale = await call(`/api/orders/${order.id}`, { notes: 'x' }, { 'if-match': '"1"' }, 'PUT')
    expect([stale.statusCode, stale.json<{ current: Order }>().current.id]).toEqual([412, order.id])
    const { revision } = await read(order.id)
    const change = { customer_name: 'Ada L.', items: [{ sku: 'HOOK', quantity: 1, unit_price: 5 }] }
    const changed = await call(`/api/orders/${order.id}`, change, { 'if-match': `"${revision}"` }, 'PUT')
    expect(changed.json()).toMatchObject({
      customer_name: 'Ada L.',
      items: [{ quantity: 1, reserved_quantity: 1 }],
    })
    expect(await stockOf(hook)).toEqual([10, 1])

    expect((await call(`/api/orders/${order.id}`, undefined, {}, 'DELETE')).statusCode).toBe(204)
    expect(await stockOf(hook)).toEqual([10, 0])
    expect((await act(order.id, 'ship')).status).toBe(404)
    expect((await act(order.id, 'restore')).body).toMatchObject({ customer_name: 'Ada L.' })
  })

  it('a line with shipped pieces cannot be replaced, and its order cannot be deleted', async () => {
    const { app, call, act, read } = await aShop()
    const id = await anOrder(app, { lines: [aLine(2)] })
    await act(id, 'ship', { items: [{ line_id: (await read(id)).items[0]?.id, quantity: 1 }] })
    const change = { items: [{ sku: 'PEG', quantity: 1, unit_price: 1 }] }
    const refused = await call(`/api/orders/${id}`, change, { 'if-match': '*' }, 'PUT')
    expect([refused.statusCode, refused.json<{ detail: string }>().detail]).toEqual([
      409,
      '“A HOOK” (HOOK): 1 piece already shipped, so this line cannot be replaced.',
    ])
    expect((await call(`/api/orders/${id}`, undefined, {}, 'DELETE')).statusCode).toBe(409)
  })
})

it('a return or an undone shipment of a deleted item is refused with the name of the line', async () => {
  const { app, hook, act, read } = await aShop({ HOOK: 2 })
  const id = await anOrder(app, { lines: [aLine(2)] })
  await act(id, 'ship')
  const { items, shipments } = await read(id)
  const headers = { ...(await app.as('staff')), 'if-match': '*' }
  await app.http.inject({ method: 'DELETE', url: `/api/inventory/${hook}`, headers })
  for (const [what, payload] of [
    ['return', { items: [{ line_id: items[0]?.id, quantity: 1, to: 'scrap' }] }],
    ['undo-shipment', { shipment_id: shipments[0]?.id }],
  ] as const) {
    const refused = await act(id, what, payload)
    expect([refused.status, refused.body.detail]).toEqual([
      409,
      'The item of “A HOOK” (HOOK) is in the trash. Restore it first.',
    ])
  }
  await app.http.inject({ method: 'POST', url: `/api/inventory/${hook}/restore`, headers })
  expect(
    (await act(id, 'return', { items: [{ line_id: items[0]?.id, quantity: 1, to: 'scrap' }] })).status,
  ).toBe(200)
})

describe('actions that need more pieces than an order can get', () => {
  it('a call that requests more than the free pieces reserves and ships nothing', async () => {
    const { app, hook, peg, act, read, stockOf } = await aShop({ HOOK: 2, PEG: 5 })
    const id = await anOrder(app, { lines: [aLine(9), aLine(5, 'PEG')] })
    const [first, second] = (await read(id)).items.map((line) => line.id)
    const items = [
      { line_id: second, quantity: 5 },
      { line_id: first, quantity: 3 },
    ]
    const notReserved = await act(id, 'reserve', { items })
    expect([notReserved.status, notReserved.body]).toMatchObject([
      409,
      {
        code: 'stock_not_free',
        detail: 'Only 2 pieces of “A HOOK” (HOOK) are free, so 3 cannot be reserved.',
      },
    ])
    const notShipped = await act(id, 'ship', { items })
    expect([notShipped.status, notShipped.body.detail]).toEqual([
      409,
      '“A HOOK” (HOOK): 3 pieces should be shipped, but only 2 are available for this order. Nothing was shipped.',
    ])
    expect([await stockOf(hook), await stockOf(peg), (await read(id)).shipments]).toEqual([
      [2, 0],
      [5, 0],
      [],
    ])
    const tooMany = await act(id, 'ship', { items: [{ line_id: second, quantity: 6 }] })
    expect([tooMany.status, tooMany.body.detail]).toEqual([
      422,
      'Only 5 pieces of “A PEG” (PEG) are left to ship.',
    ])
  })

  it('pieces that another order has reserved are not shipped', async () => {
    const { app, act } = await aShop({ HOOK: 3 })
    const other = await anOrder(app, { lines: [aLine(3)] })
    await act(other, 'reserve')
    const id = await anOrder(app, { lines: [aLine(1)] })
    expect((await act(id, 'ship')).body.code).toBe('stock_not_free')
  })

  it('a line of an unknown SKU is not shipped', async () => {
    const { app, act } = await aShop()
    const id = await anOrder(app, { lines: [aLine(1, 'NOT-OURS')] })
    const refused = await act(id, 'ship')
    expect([refused.status, refused.body.detail]).toEqual([
      409,
      'No inventory item has the SKU of “A NOT-OURS” (NOT-OURS). Add an item with this SKU first.',
    ])
  })

  it.each([3, 10])(
    'if two people ship a line at the same time with %d in stock, it is shipped once',
    async (stock) => {
      const { app, hook, act, stockOf } = await aShop({ HOOK: stock })
      const other = await app.replica()
      const id = await anOrder(app, { lines: [aLine(3)] })
      const headers = await app.as('staff')
      const second = other.http.inject({ method: 'POST', url: `/api/orders/${id}/ship`, headers })
      const statuses = [(await act(id, 'ship')).status, (await second).statusCode]
      expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 409])
      expect(await stockOf(hook)).toEqual([stock - 3, 0])
    },
  )

  it('pieces are not shipped if the order has a later shipment than the request names', async () => {
    const { app, hook, act, stockOf } = await aShop({ HOOK: 10 })
    const id = await anOrder(app, { lines: [aLine(8)] })
    const some = async (known: number) => {
      const items = [{ line_id: (await act(id, 'reserve')).body.items[0]?.id, quantity: 2 }]
      const answer = await act(id, 'ship', { items, last_shipment_number: known })
      return [answer.status, answer.body.detail ?? answer.body.shipments.at(-1)?.number]
    }
    expect(await some(0)).toEqual([201, 1])
    const sentence = 'Pieces of this order were shipped in the meantime. Check what is left to ship.'
    expect(await some(0)).toEqual([409, sentence])
    expect(await some(1)).toEqual([201, 2])
    expect(await stockOf(hook)).toEqual([6, 4])
  })
})
