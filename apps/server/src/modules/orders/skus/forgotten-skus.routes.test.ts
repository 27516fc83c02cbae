import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import type { OrderEvent } from '@pegasus/contracts/orders/order-account'
import { expect, it } from 'vitest'
import { aLine, aShop } from '../../../../test/support/sku-decisions.ts'
import { aPrintJob, anOrder } from '../../../../test/support/stock-factories.ts'

type Shop = Awaited<ReturnType<typeof aShop>>

const ship = async ({ read, act }: Shop, id: string, sku: string, quantity = 1) => {
  const line = (await read(id)).items.find((each) => each.sku === sku)
  await act(id, 'ship', { items: [{ line_id: line?.id, quantity }] })
}

it('an order that was completed by ignoring a SKU is open again once the SKU is no longer ignored', async () => {
  const shop = await aShop()
  const { app, decide, read, act, map, dragon } = shop
  const lines = [aLine('DRG'), aLine('CARD'), aLine('WRAP')]
  const id = await anOrder(app, { lines })
  await ship(shop, id, 'DRG')
  await decide('ignore', { sku: 'CARD' })
  await decide('ignore', { sku: 'WRAP' })
  expect((await read(id)).status).toBe('completed')
  // One needed SKU is enough to open the order again.
  expect((await decide('forget', { sku: 'CARD' })).body.changed_orders).toBe(1)
  expect(await read(id)).toMatchObject({
    status: 'in_progress',
    items: [{ shipped_quantity: 1 }, { is_ignored: false, missing_quantity: 1 }, { is_ignored: true }],
  })
  await decide('ignore', { sku: 'CARD' })
  expect((await read(id)).status).toBe('completed')
  // If an ignored SKU is mapped to an item, its pieces are needed again.
  await map('CARD', [dragon, 1])
  expect(await read(id)).toMatchObject({
    status: 'in_progress',
    items: [{}, { inventory_item_id: dragon }, {}],
  })
  await act(id, 'ship')
  await decide('forget', { sku: 'CARD' })
  await decide('forget', { sku: 'WRAP' })
  expect((await read(id)).status).toBe('completed')
})

it('an order that a person completed, or that was shipped, stays as it is when a SKU is no longer ignored', async () => {
  const shop = await aShop()
  const { app, decide, read, act } = shop
  const lines = [aLine('DRG'), aLine('WRAP')]
  const closed = await anOrder(app, { lines })
  await act(closed, 'complete', { close_short: true })
  const cancelled = await anOrder(app, { lines })
  await act(cancelled, 'cancel')
  const open = await anOrder(app, { lines })
  await decide('ignore', { sku: 'WRAP' })
  // The last piece was shipped after the decision, so the packer knew that the other line was ignored.
  await ship(shop, open, 'DRG')
  // An ignored line can be shipped, too.
  const sent = await anOrder(app, { lines })
  await ship(shop, sent, 'WRAP')
  await decide('forget', { sku: 'WRAP' })
  expect((await read(closed)).status).toBe('completed')
  expect((await read(cancelled)).status).toBe('cancelled')
  expect((await read(open)).status).toBe('completed')
  expect(await read(sent)).toMatchObject({ status: 'in_progress', items: [{}, { is_ignored: true }] })
})

it('an order that was completed by ignoring a SKU and has changed its status since is not reopened', async () => {
  const shop = await aShop()
  const { app, decide, read, act } = shop
  const id = await anOrder(app, { lines: [aLine('DRG'), aLine('WRAP')] })
  await ship(shop, id, 'DRG')
  await decide('ignore', { sku: 'WRAP' })
  const [shipment] = (await read(id)).shipments
  await act(id, 'undo-shipment', { shipment_id: shipment?.id })
  expect((await read(id)).status).toBe('in_progress')
  await act(id, 'complete', { close_short: true })
  await decide('forget', { sku: 'WRAP' })
  expect((await read(id)).status).toBe('completed')
})

it('undoing a mapping gives back the pieces that were reserved because of it', async () => {
  const shop = await aShop()
  const { app, dragon, egg, send, map, decide, read, act, inbox } = shop
  const one = await anOrder(app, { lines: [aLine('OLD', 2), aLine('EGG')] })
  const held = await anOrder(app, { lines: [aLine('OLD', 3)] })
  const set = await anOrder(app, { lines: [aLine('NEST', 1)] })
  await map('OLD', [dragon, 1])
  await map('NEST', [dragon, 1], [egg, 2])
  for (const id of [one, held, set]) await act(id, 'reserve')
  await act(held, 'hold')
  const job = await aPrintJob(app, { itemId: dragon, orderId: set })
  const reserved = async () =>
    Promise.all(
      [dragon, egg].map(
        async (id) => (await send<InventoryItem>(`/api/inventory/${id}`)).body.reserved_quantity,
      ),
    )
  expect(await reserved()).toEqual([6, 3])
  expect((await decide('forget', { sku: 'old' })).body.changed_orders).toBe(2)
  expect(await reserved()).toEqual([1, 3])
  expect((await decide('forget', { sku: 'NEST' })).body.changed_orders).toBe(1)
  expect(await reserved()).toEqual([0, 1])
  expect(await read(one)).toMatchObject({
    items: [
      { inventory_item_id: null, reserved_quantity: 0 },
      { inventory_item_id: egg, reserved_quantity: 1 },
    ],
  })
  expect(await read(held)).toMatchObject({ status: 'on_hold', items: [{ inventory_item_id: null }] })
  expect(await read(set)).toMatchObject({ items: [{ is_set: false, parts: [], inventory_item_id: null }] })
  expect((await inbox()).map(({ sku }) => sku).toSorted()).toEqual(['NEST', 'OLD'])
  expect((await send<{ order_id: string }>(`/api/print-queue/${job}`)).body.order_id).toBe(set)
  const events = (await send<OrderEvent[]>(`/api/orders/${one}/history`)).body
  const released = events.find(({ action }) => action === 'order.released')
  expect(released).toMatchObject({ items: [{ sku: 'OLD', quantity: 2 }] })
})

it('undoing a mapping leaves a line with shipped pieces and its reserved pieces as they are', async () => {
  const shop = await aShop()
  const { app, dragon, egg, map, decide, read, act } = shop
  const line = await anOrder(app, { lines: [aLine('OLD', 3)] })
  const set = await anOrder(app, { lines: [aLine('NEST', 2)] })
  await map('OLD', [dragon, 1])
  await map('NEST', [dragon, 1], [egg, 1])
  for (const [id, sku] of [
    [line, 'OLD'],
    [set, 'NEST'],
  ] as const) {
    await act(id, 'reserve')
    await ship(shop, id, sku)
    expect((await decide('forget', { sku })).body.changed_orders).toBe(0)
  }
  expect(await read(line)).toMatchObject({
    items: [{ inventory_item_id: dragon, shipped_quantity: 1, reserved_quantity: 2 }],
  })
  expect((await read(set)).items[0]?.parts).toMatchObject([
    { reserved_quantity: 1 },
    { reserved_quantity: 1 },
  ])
})

it('the history of an order shows who decided about its SKUs, and how that changed the order', async () => {
  const shop = await aShop()
  const { app, dragon, egg, send, map, decide } = shop
  const id = await anOrder(app, { orderNumber: 'H-1', lines: [aLine('DRG'), aLine('Nest'), aLine('WRAP')] })
  const other = await anOrder(app, { lines: [aLine('DRG')] })
  await map('nest', [dragon, 1], [egg, 2])
  await decide('forget', { sku: 'nest' })
  await ship(shop, id, 'DRG')
  await decide('ignore', { sku: 'NEST' })
  await decide('ignore', { sku: 'WRAP' })
  await decide('forget', { sku: 'WRAP' })
  const actor = expect.objectContaining({ kind: 'user', name: 'The staff' })
  const none = { actor, items: [], reason: null }
  expect((await send<OrderEvent[]>(`/api/orders/${id}/history`)).body).toMatchObject([
    { action: 'order.reopened', actor, sku: null, reason: 'Pieces of a SKU that was ignored are needed.' },
    { action: 'order.sku_forgotten', sku: 'WRAP', ...none },
    { action: 'order.completed', actor, sku: null, reason: 'All pieces that are not ignored were shipped.' },
    { action: 'order.sku_ignored', sku: 'WRAP', ...none },
    { action: 'order.sku_ignored', sku: 'NEST', ...none },
    { action: 'order.shipped', sku: null },
    { action: 'order.sku_forgotten', sku: 'nest', ...none },
    {
      ...none,
      action: 'order.sku_mapped',
      sku: 'nest',
      items: [
        { sku: 'DRG', name: 'Dragon', quantity: 1 },
        { sku: 'EGG', name: 'Egg', quantity: 2 },
      ],
      created_at: app.clock.now().toISOString(),
    },
  ])
  expect((await send<OrderEvent[]>(`/api/orders/${other}/history`)).body).toEqual([])
})
