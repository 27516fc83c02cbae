import type { OrderEvent } from '@pegasus/contracts/orders/order-account'
import type { BookedReturn } from '@pegasus/contracts/orders/order-changes'
import type { Order } from '@pegasus/contracts/orders/orders'
import { expect, it } from 'vitest'
import { untilWaiting } from '../../../../test/support/database/lock-waits.ts'
import { aSalesShop, line } from '../../../../test/support/sales-shop.ts'
import { aMovement, anOrder } from '../../../../test/support/stock-factories.ts'
import { SYSTEM_ACTOR } from '../../../platform/actor.ts'
import { type NewMovement, moveStock } from '../../inventory/index.ts'

/**
 * Adds an order of four shipped dragons, two of which were returned: one is back in the stock, and one was scrapped.
 */
async function aReturn() {
  const shop = await aSalesShop()
  const { app, dragon, act, send, report } = shop
  const id = await anOrder(app, { lines: [line('DRG', 4, 1000)] })
  const shipped = await act(id, 'ship')
  const stockOf = async () => {
    const { quantity, reserved_quantity: reserved } = await send<Record<string, number>>(
      `/api/inventory/${dragon}`,
    )
    return [quantity, reserved]
  }
  const before = { order: await send<Order>(`/api/orders/${id}`), stock: await stockOf() }
  const sales = await report('by=month')
  const line_id = before.order.items[0]?.id
  const items = [
    { line_id, quantity: 1, to: 'stock' },
    { line_id, quantity: 1, to: 'scrap', reason: 'Broken' },
  ]
  const { return_id: returnId } = await send<BookedReturn>(`/api/orders/${id}/return`, { items })
  const history = () => send<OrderEvent[]>(`/api/orders/${id}/history`)
  const undo = async (return_id: unknown = returnId) => {
    const headers = await app.as('staff')
    const url = `/api/orders/${id}/undo-return`
    const answer = await app.http.inject({ method: 'POST', url, headers, payload: { return_id } })
    return { ...answer.json<Order & { detail: string }>(), httpStatus: answer.statusCode }
  }
  return { ...shop, id, shipped, before, sales, line_id, stockOf, history, returnId, undo }
}

it('undoing a return takes its pieces out of the stock again, and the order, the report and the ledger are as before', async () => {
  const { act, send, report, id, dragon, before, sales, stockOf, history, returnId, undo } = await aReturn()
  expect(await history()).toMatchObject([{ return_id: returnId }, { return_id: null }])
  expect((await send<Order>(`/api/orders/${id}`)).items[0]?.returned_quantity).toBe(2)
  expect(await report('by=month')).toMatchObject([{ returns: 2, revenue: 20 }])
  const after = await undo()
  expect(after).toMatchObject({ status: before.order.status, items: before.order.items })
  expect(await stockOf()).toEqual(before.stock)
  expect(await report('by=month')).toEqual(sales)
  const movements = await send<{ kind: string; delta: number; undoes_id: string | null }[]>(
    `/api/inventory/${dragon}/movements`,
  )
  expect(movements.slice(0, 2).every(({ undoes_id: undone }) => undone !== null)).toBe(true)
  expect(await history()).toMatchObject([
    { action: 'order.return_undone', items: [{ sku: 'DRG', quantity: 1 }, { quantity: 1 }], return_id: null },
    { action: 'order.returned', return_id: null },
    { action: 'order.shipped', return_id: null },
  ])

  const again = await undo()
  expect([again.httpStatus, again.detail]).toEqual([
    422,
    'This order has no such return, or the return has already been undone.',
  ])
  expect((await undo(id)).httpStatus).toBe(422)
  // Now all pieces can be returned with their whole revenue. After that return is undone, too, the shipment can be
  // undone.
  const items = [{ line_id: before.order.items[0]?.id, quantity: 4, to: 'stock' }]
  await act(id, 'return', { items })
  expect(await report('by=month')).toMatchObject([{ returns: 4, revenue: 0 }])
  expect((await undo((await history())[0]?.return_id)).items).toEqual(before.order.items)
  await act(id, 'undo-shipment', { shipment_id: before.order.shipments[0]?.id })
  expect(await report('by=month')).toEqual([])
})

it('a return cannot be undone while its pieces have left the stock again, or after they were counted', async () => {
  const { app, dragon, id, send, stockOf, undo } = await aReturn()
  const [quantity = 0] = await stockOf()
  await aMovement(app, { itemId: dragon, kind: 'ship', delta: -quantity })
  const gone = await undo()
  expect([gone.httpStatus, gone.detail]).toEqual([
    409,
    expect.stringMatching(
      /^.*\(DRG\): 1 piece of this return went back to the stock, but the stock has only 0 pieces free now\. The return cannot be undone until they are back\.$/,
    ),
  ])
  expect((await send<Order>(`/api/orders/${id}`)).items[0]?.returned_quantity).toBe(2)
  await aMovement(app, { itemId: dragon, kind: 'receive', delta: 3 })
  await aMovement(app, { itemId: dragon, kind: 'count', delta: 0, reason: 'counted' })
  const counted = await undo()
  expect([counted.httpStatus, counted.detail]).toEqual([
    409,
    expect.stringMatching(/ was counted after this return, so the return cannot be undone\.$/),
  ])
  expect(await stockOf()).toEqual([3, 0])
})

it('only one of two requests that undo the same return succeeds', async () => {
  const { before, stockOf, undo } = await aReturn()
  const answers = await Promise.all([undo(), undo()])
  expect(answers.map(({ httpStatus }) => httpStatus).toSorted((a, b) => a - b)).toEqual([200, 422])
  expect(await stockOf()).toEqual(before.stock)
})

/** Undoes the return while another transaction has locked the item and writes a movement, which it commits first. */
async function undoBehind({ app, dragon, undo }: Awaited<ReturnType<typeof aReturn>>, movement: NewMovement) {
  const { waiting } = await app.database.transaction(async (tx) => {
    await tx`select from items where id = ${dragon} for update`
    const answer = undo()
    await untilWaiting(app, 1)
    await moveStock(tx, movement, { actor: SYSTEM_ACTOR, now: app.clock.now() })
    return { waiting: answer }
  })
  return waiting
}

it('a return is not undone if the item is counted while the undo waits for it', async () => {
  const shop = await aReturn()
  const [quantity] = await shop.stockOf()
  const counted = await undoBehind(shop, { itemId: shop.dragon, kind: 'count', delta: 0, reason: 'counted' })
  expect([counted.httpStatus, counted.detail]).toEqual([
    409,
    expect.stringMatching(/ was counted after this return, so the return cannot be undone\.$/),
  ])
  expect(await shop.stockOf()).toEqual([quantity, 0])
})

it('a return is undone once if its scrapped piece comes back to the stock while the undo waits for the item', async () => {
  const shop = await aReturn()
  const { dragon: itemId, before } = shop
  const movements = await shop.send<{ id: string; kind: string }[]>(`/api/inventory/${itemId}/movements`)
  const scrapped = movements.find(({ kind }) => kind === 'scrap')?.id ?? ''
  const undone = await undoBehind(shop, { itemId, kind: 'adjust', delta: 1, undoesId: scrapped })
  expect([undone.httpStatus, undone.items]).toEqual([200, before.order.items])
  expect(await shop.stockOf()).toEqual(before.stock)
})

it("a movement of a return cannot be undone in the inventory, and the error points to the order's history", async () => {
  const { app, dragon, send } = await aReturn()
  const movements = await send<{ id: string; kind: string }[]>(`/api/inventory/${dragon}/movements`)
  const returned = movements.find(({ kind }) => kind === 'return')?.id
  const headers = await app.as('staff')
  const url = `/api/stock-movements/${returned}/undo`
  const answer = await app.http.inject({ method: 'POST', url, headers })
  expect(answer.json()).toMatchObject({
    code: 'movement_not_undoable',
    detail:
      'These pieces were returned for an order. Undo the return in the history of the order. If it offers no undo, correct the quantity with a count.',
  })
})
