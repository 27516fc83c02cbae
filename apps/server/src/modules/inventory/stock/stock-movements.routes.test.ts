import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import type { StockMovement, MovedItem } from '@pegasus/contracts/inventory/stock-movements'
import { describe, expect, it } from 'vitest'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { addedItem, callsOf } from '../../../../test/support/api-calls.ts'
import { aMovement, aPrintJob, anOrder } from '../../../../test/support/stock-factories.ts'
import { claimLowStockCrossings } from '../index.ts'

const BILLION = 1_000_000_000
const NOBODY = '01890000-0000-7000-8000-000000000000'

const shop = async () => {
  const app = await buildTestApp()
  const staff = callsOf(app, await app.as('staff'))
  /** Sends a stock movement for an item and returns the response. */
  const act = (id: string, what: string, body: object, headers = {}) =>
    staff(`POST /api/inventory/${id}/${what}`, body, headers)
  const undo = (movementId: string) => staff(`POST /api/stock-movements/${movementId}/undo`)
  return { app, staff, act, undo }
}

describe('adding and removing stock', () => {
  it('a stock adjustment returns the item with its movement, or is refused if the stock would become negative', async () => {
    const { act, staff } = await shop()
    const { id } = await addedItem(staff, { quantity: 3 })
    const answer = await act(id, 'adjust', { delta: -2, reason: 'Damaged', kind: 'scrap' })
    expect(answer.status, answer.text).toBe(200)
    expect(answer.json()).toMatchObject({
      id,
      quantity: 1,
      movement: { kind: 'scrap', delta: -2, quantity_after: 1, reason: 'Damaged' },
    })
    const tooMany = await act(id, 'adjust', { delta: -2, reason: 'x' })
    expect([tooMany.status, tooMany.detail()]).toEqual([
      409,
      'Only 1 piece is in stock, so 2 cannot be taken.',
    ])
    const tooFull = await act(id, 'adjust', { delta: BILLION })
    expect(tooFull.detail()).toContain('at most 1,000,000,000 pieces')
    expect((await act(id, 'adjust', { delta: BILLION - 1 })).json<MovedItem>().quantity).toBe(BILLION)
    expect((await act(id, 'adjust', { delta: -BILLION })).json<MovedItem>().status).toBe('Out of Stock')
  })

  it('an invalid stock adjustment is refused with 422', async () => {
    const { act, staff } = await shop()
    const { id } = await addedItem(staff)
    for (const body of [
      { delta: 0 },
      { delta: 1.5 },
      { delta: BILLION + 1 },
      { delta: '1' },
      {},
      { delta: -1, kind: 'produce' },
      { delta: 1, kind: 'move' },
      { delta: 1, kind: 'reserve' },
      { delta: 1, kind: 'release' },
      { delta: 1, kind: 'ship' },
      { delta: -1, kind: 'receive' },
      { delta: 1, reason: 'x'.repeat(501) },
    ])
      expect((await act(id, 'adjust', body)).status).toBe(422)
    expect((await staff(`GET /api/inventory/${id}`)).json()).toMatchObject({ quantity: 10 })
  })

  it('a stock adjustment runs once for a repeated idempotency key', async () => {
    const { act, staff } = await shop()
    const { id } = await addedItem(staff, { quantity: 9 })
    const key = { 'idempotency-key': 'scan-1' }
    const answers = await Promise.all([1, 2, 3].map(() => act(id, 'adjust', { delta: -2 }, key)))
    expect(new Set(answers.map((answer) => answer.text)).size).toBe(1)
    expect((await staff(`GET /api/inventory/${id}`)).json()).toMatchObject({ quantity: 7 })
    expect((await act(id, 'adjust', { delta: -3 }, key)).status).toBe(409)
  })

  it('a person can reserve only free pieces, release only reserved pieces, and remove only free pieces', async () => {
    const { act, staff, app } = await shop()
    const { id } = await addedItem(staff, { quantity: 10 })
    const orderId = await anOrder(app, { orderNumber: 'PO-7' })
    const reserved = await act(id, 'reserve', { quantity: 6, order_id: orderId, reason: 'for the fair' })
    expect(reserved.json()).toMatchObject({
      quantity: 10,
      reserved_quantity: 6,
      available_quantity: 4,
      movement: { kind: 'reserve', document: { kind: 'order', id: orderId, name: 'PO-7' } },
    })
    const more = await act(id, 'reserve', { quantity: 5 })
    expect([more.status, more.detail()]).toEqual([409, 'Only 4 pieces are free, so 5 cannot be reserved.'])
    const taken = await act(id, 'adjust', { delta: -5 })
    expect(taken.status).toBe(409)
    expect(taken.detail()).toBe(
      'Only 4 pieces are free, because 6 of the 10 in stock are reserved: 6 for order PO-7. Release some first, or name the order whose reserved pieces you want to take.',
    )
    const ship = { delta: -7, kind: 'ship', from_reserved: true, order_id: orderId }
    const shipped = await act(id, 'adjust', ship)
    expect(shipped.json()).toMatchObject({
      quantity: 3,
      reserved_quantity: 0,
      movement: { delta: -7, reserved_delta: -6 },
    })
    const none = await act(id, 'release', { quantity: 1 })
    expect([none.status, none.detail()]).toEqual([
      409,
      'Only 0 pieces are reserved, so 1 cannot be released.',
    ])
    expect((await act(id, 'reserve', { quantity: 1, order_id: NOBODY })).status).toBe(404)
    for (const quantity of [0, -1, 1.5]) expect((await act(id, 'reserve', { quantity })).status).toBe(422)
  })

  it('shipping or releasing pieces for an order keeps the pieces that are reserved for another order', async () => {
    const { act, staff, app, undo } = await shop()
    const { id } = await addedItem(staff, { quantity: 10 })
    const [mine, theirs] = [await anOrder(app), await anOrder(app)]
    const first = await act(id, 'reserve', { quantity: 2, order_id: mine })
    await act(id, 'reserve', { quantity: 5, order_id: theirs })
    await act(id, 'reserve', { quantity: 1 })
    const reserved = async () =>
      (await staff(`GET /api/inventory/${id}`)).json<InventoryItem>().reserved_quantity

    const tooMany = await act(id, 'release', { quantity: 3, order_id: mine })
    expect([tooMany.status, tooMany.detail()]).toEqual([
      409,
      'Only 2 pieces are reserved for this order, so 3 cannot be released.',
    ])
    expect((await act(id, 'release', { quantity: 1, order_id: NOBODY })).status).toBe(404)
    // The order can ship its own two pieces and the two free ones, but not those that are reserved for the other order.
    const ship = (delta: number) =>
      act(id, 'adjust', { delta, kind: 'ship', from_reserved: true, order_id: mine })
    expect((await ship(-5)).status).toBe(409)
    expect(await reserved()).toBe(8)
    expect((await ship(-4)).json()).toMatchObject({
      quantity: 6,
      reserved_quantity: 6,
      movement: { reserved_delta: -2 },
    })
    expect((await act(id, 'release', { quantity: 1, order_id: mine })).status).toBe(409)
    // The pieces of the first reservation have been shipped, so it cannot be undone.
    expect((await undo(first.json<MovedItem>().movement.id)).status).toBe(409)
    expect(await reserved()).toBe(6)

    const released = await Promise.all(
      [1, 2, 3].map(() => act(id, 'release', { quantity: 2, order_id: theirs })),
    )
    expect(released.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([200, 200, 409])
    expect(await reserved()).toBe(2)
    // A release without an order only releases pieces that are reserved without an order.
    expect((await act(id, 'release', { quantity: 2 })).status).toBe(409)
    expect((await act(id, 'release', { quantity: 1 })).status).toBe(200)
    expect(await reserved()).toBe(1)
  })

  it('a call that names no order cannot release or ship pieces that are reserved for orders, and its error names those orders', async () => {
    const { act, staff, app, undo } = await shop()
    const { id } = await addedItem(staff, { quantity: 10 })
    const [first, second] = [
      await anOrder(app, { orderNumber: 'PO-1' }),
      await anOrder(app, { orderNumber: 'PO-2' }),
    ]
    await act(id, 'reserve', { quantity: 3, order_id: first })
    await act(id, 'reserve', { quantity: 2, order_id: second })
    const own = await act(id, 'reserve', { quantity: 1 })
    const holders = async () => (await staff(`GET /api/inventory/${id}/reservations`)).json()
    const customer = { customer_name: 'Keisuke Yamanaka', order_status: 'pending' }
    expect(await holders()).toEqual([
      { order_id: null, order_number: null, customer_name: null, order_status: null, quantity: 1 },
      { order_id: first, order_number: 'PO-1', ...customer, quantity: 3 },
      { order_id: second, order_number: 'PO-2', ...customer, quantity: 2 },
    ])

    const released = await act(id, 'release', { quantity: 2 })
    expect([released.status, released.detail()]).toEqual([
      409,
      `Only 1 piece is reserved without an order, so 2 cannot be released. Others are reserved: 3 for order PO-1 and 2 for order PO-2. Please name the order from which to release them.`,
    ])
    for (const body of [
      { delta: -5, kind: 'ship' },
      { delta: -6, kind: 'ship', from_reserved: true },
      { delta: -6, from_reserved: true },
    ]) {
      const shipped = await act(id, 'adjust', body)
      expect([shipped.status, shipped.detail()]).toEqual([
        409,
        `Only 4 pieces are free, because 6 of the 10 in stock are reserved: 3 for order PO-1, 2 for order PO-2 and 1 without an order. Release some first, or name the order whose reserved pieces you want to take.`,
      ])
    }
    const shipped = await act(id, 'adjust', { delta: -5, kind: 'ship', from_reserved: true })
    expect(shipped.json()).toMatchObject({ quantity: 5, reserved_quantity: 5, available_quantity: 0 })
    // The pieces that were reserved without an order are gone, so that reservation cannot be undone.
    expect((await undo(own.json<MovedItem>().movement.id)).status).toBe(409)
    expect(await holders()).toHaveLength(2)
    expect((await staff(`GET /api/inventory/${NOBODY}/reservations`)).status).toBe(404)
  })

  it('parallel releases and shipments without an order never release the same reserved piece twice', async () => {
    const { act, staff, app } = await shop()
    const { id } = await addedItem(staff, { quantity: 20 })
    await act(id, 'reserve', { quantity: 10, order_id: await anOrder(app) })
    await act(id, 'reserve', { quantity: 4 })
    const releases = Array.from({ length: 6 }, () => act(id, 'release', { quantity: 1 }))
    const ships = Array.from({ length: 6 }, () =>
      act(id, 'adjust', { delta: -2, kind: 'ship', from_reserved: true }),
    )
    await Promise.all([...releases, ...ships])
    const after = (await staff(`GET /api/inventory/${id}`)).json<InventoryItem>()
    expect(after).toMatchObject({ quantity: 10, reserved_quantity: 10 })
  })

  it('a stock count records the difference, even a difference of zero', async () => {
    const { act, staff } = await shop()
    const { id } = await addedItem(staff, { quantity: 10 })
    await act(id, 'reserve', { quantity: 8 })
    const count = async (quantity: number) =>
      (await act(id, 'count', { quantity, reason: 'Stocktaking' })).json<MovedItem>()
    const found = await count(7)
    expect(found).toMatchObject({
      quantity: 7,
      available_quantity: 0,
      movement: { kind: 'count', delta: -3 },
    })
    expect((await count(7)).movement.delta).toBe(0)
    expect((await act(id, 'count', { quantity: -1 })).status).toBe(422)
  })
})

describe('moving stock to another location', () => {
  it('a person can move stock to a location by id, or by path and storage bin, and the history records the move', async () => {
    const { act, staff } = await shop()
    const { id } = await addedItem(staff, { location: 'Shelf', bin_location: '1' })
    const moved = (
      await act(id, 'move', { location: 'Workshop / Rack A3', reason: 'tidying' })
    ).json<MovedItem>()
    expect(moved).toMatchObject({
      location: 'Workshop / Rack A3',
      bin_location: null,
      movement: {
        kind: 'move',
        from_location: 'Shelf / 1',
        to_location: 'Workshop / Rack A3',
        reason: 'tidying',
      },
    })
    const other = await addedItem(staff)
    const there = (await act(other.id, 'move', { location_id: moved.location_id })).json<MovedItem>()
    expect(there.location).toBe('Workshop / Rack A3')
    expect((await act(id, 'move', {})).json()).toMatchObject({ location: null, location_id: null })
    expect((await act(id, 'move', { location_id: NOBODY })).status).toBe(404)
  })
})

describe('undoing a movement', () => {
  it('undoing a movement adds one reverse movement if that is safe', async () => {
    const { act, staff, undo } = await shop()
    const { id } = await addedItem(staff, { quantity: 10, location: 'Shelf' })
    const taken = (await act(id, 'adjust', { delta: -4, kind: 'ship' })).json<MovedItem>()
    const reserved = (await act(id, 'reserve', { quantity: 2 })).json<MovedItem>()
    const moved = (await act(id, 'move', { location: 'Rack' })).json<MovedItem>()
    const back = await undo(taken.movement.id)
    expect(back.json()).toMatchObject({
      quantity: 10,
      movement: { kind: 'adjust', delta: 4, undoes_id: taken.movement.id, reason: 'Undone' },
    })
    expect((await undo(moved.movement.id)).json()).toMatchObject({ location: 'Shelf' })
    expect((await undo(reserved.movement.id)).json()).toMatchObject({
      reserved_quantity: 0,
      movement: { kind: 'release' },
    })
    const again = await undo(taken.movement.id)
    expect([again.status, again.detail()]).toEqual([409, 'This movement has already been undone.'])
    const undone = await undo(back.json<MovedItem>().movement.id)
    expect(undone.detail()).toBe('This movement is itself an undo. Please enter the change again instead.')
    const journal = (await staff(`GET /api/inventory/${id}/movements`)).json<StockMovement[]>()
    expect(journal.find((movement) => movement.id === taken.movement.id)?.undone_by_id).toBe(
      back.json<MovedItem>().movement.id,
    )
  })

  it('undoing a movement is refused with the reason if later movements would become wrong', async () => {
    const { app, act, staff, undo } = await shop()
    const { id } = await addedItem(staff, { quantity: 10, location: 'Shelf' })
    const taken = (await act(id, 'adjust', { delta: -4 })).json<MovedItem>()
    const moved = (await act(id, 'move', { location: 'Rack' })).json<MovedItem>()
    app.clock.advance(1)
    const counted = (await act(id, 'count', { quantity: 5 })).json<MovedItem>()
    await act(id, 'move', { location: 'Table' })
    const refusal = async (movement: string) => {
      const answer = await undo(movement)
      return [answer.status, answer.detail()]
    }
    expect(await refusal(taken.movement.id)).toEqual([
      409,
      `The item was counted later, on ${app.clock.now().toISOString().slice(0, 10)}. That count stays valid, so this movement cannot be undone.`,
    ])
    expect((await refusal(moved.movement.id))[1]).toContain('has been moved since then')
    // The count is the latest movement, so it can be undone. After that, the movement before it can be
    // undone.
    expect((await undo(counted.movement.id)).json()).toMatchObject({ quantity: 6 })
    expect((await undo(taken.movement.id)).json()).toMatchObject({ quantity: 10 })

    const confirming = (await act(id, 'count', { quantity: 10 })).json<MovedItem>()
    expect((await refusal(confirming.movement.id))[1]).toContain('did not change the quantity')
    const job = await aPrintJob(app, { itemId: id })
    await aMovement(app, { itemId: id, kind: 'produce', delta: 2, printJobId: job })
    const [produced] = (await staff(`GET /api/inventory/${id}/movements`)).json<StockMovement[]>()
    expect((await refusal(produced?.id ?? ''))[1]).toContain('These pieces were recorded by a print job')
    expect((await undo(NOBODY)).status).toBe(404)

    const received = (await act(id, 'adjust', { delta: 5, kind: 'receive' })).json<MovedItem>()
    await act(id, 'adjust', { delta: -16, kind: 'ship' })
    expect(await refusal(received.movement.id)).toEqual([
      409,
      'Only 1 piece is in stock, so 5 cannot be taken.',
    ])
  })

  it('only one of two parallel requests to undo a movement succeeds', async () => {
    const { act, staff, undo } = await shop()
    const { id } = await addedItem(staff, { quantity: 10 })
    const { movement } = (await act(id, 'adjust', { delta: -4 })).json<MovedItem>()
    const answers = await Promise.all(Array.from({ length: 8 }, () => undo(movement.id)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(7)
    expect((await staff(`GET /api/inventory/${id}`)).json()).toMatchObject({ quantity: 10 })
  })
})

describe('reporting low stock', () => {
  it('the low-stock list and the low-stock figure count the same items, whatever their status', async () => {
    const { staff } = await shop()
    await addedItem(staff, { name: 'Above', quantity: 6 })
    await addedItem(staff, { name: 'At', quantity: 5 })
    await addedItem(staff, { name: 'Held', quantity: 1, status: 'On Hold' })
    await addedItem(staff, { name: 'None', quantity: 0, reorder_point: 0 })
    const trashed = await addedItem(staff, { name: 'Trashed', quantity: 0 })
    await staff(`DELETE /api/inventory/${trashed.id}`)
    const low = (await staff('GET /api/inventory?low_stock_only=true')).json<InventoryItem[]>()
    expect(low.map(({ name }) => name)).toEqual(['None', 'Held', 'At'])
    const stats = (await staff('GET /api/stats')).json<{ low_stock_items: number }>()
    expect(stats.low_stock_items).toBe(low.length)
  })

  it('low stock is reported once whenever an item falls to its reorder point', async () => {
    const { app, act, staff } = await shop()
    const take = () => app.database.transaction((tx) => claimLowStockCrossings(tx))
    const { id } = await addedItem(staff, { sku: 'HOOK', quantity: 10, reorder_point: 5 })
    await addedItem(staff, { quantity: 1 })
    await act(id, 'adjust', { delta: -4 })
    expect(await take()).toEqual([])
    await act(id, 'adjust', { delta: -1 })
    await act(id, 'adjust', { delta: -1 })
    expect(await take()).toMatchObject([
      { item_id: id, sku: 'HOOK', quantity: 5, reorder_point: 5, is_low: true },
    ])
    expect(await take()).toEqual([])
    await act(id, 'adjust', { delta: 20 })
    await staff(`PUT /api/inventory/${id}`, { reorder_point: 30 })
    await act(id, 'adjust', { delta: 20 })
    expect(await take()).toMatchObject([{ quantity: 24, reorder_point: 30, is_low: false }])
    // If the transaction that claims a crossing fails, the next run claims it again.
    await act(id, 'adjust', { delta: -20 })
    const failing = app.database.transaction(async (tx) => {
      await claimLowStockCrossings(tx)
      throw new Error('no mail')
    })
    await expect(failing).rejects.toThrow('no mail')
    expect(await take()).toHaveLength(1)
  })
})

describe('stock movements by a caller without permission', () => {
  it('a viewer cannot adjust, count, reserve, release or move stock', async () => {
    const { app, staff } = await shop()
    const { id } = await addedItem(staff)
    const viewer = callsOf(app, await app.as('viewer'))
    for (const [what, body] of [
      ['adjust', { delta: 1 }],
      ['count', { quantity: 1 }],
      ['reserve', { quantity: 1 }],
      ['release', { quantity: 1 }],
      ['move', {}],
    ] as const)
      expect((await viewer(`POST /api/inventory/${id}/${what}`, body)).status).toBe(403)
    expect((await staff(`GET /api/inventory/${id}`)).json()).toMatchObject({ quantity: 10 })
  })
})
