import type { Order } from '@pegasus/contracts/orders/orders'
import { expect, it } from 'vitest'
import { auditOf } from '../../../../test/support/accounts/api-keys.ts'
import { aLine, aShop } from '../../../../test/support/sku-decisions.ts'
import { anItem, anOrder } from '../../../../test/support/stock-factories.ts'
import { SYSTEM_ACTOR } from '../../../platform/actor.ts'
import { moveStock } from '../../inventory/index.ts'

/** Returns the ordered, shipped, reserved, allocated and missing pieces of a line. */
const accountOf = (line: Order['items'][number] | Order['items'][number]['parts'][number] | undefined) =>
  line && [
    line.quantity,
    line.shipped_quantity,
    line.reserved_quantity,
    line.allocated_quantity,
    line.missing_quantity,
  ]

it('the SKU inbox counts the SKUs of open orders that match no item, ignoring case', async () => {
  const { app, inbox } = await aShop()
  await anOrder(app, {
    lines: [aLine('mystery', 2), aLine('DRG')],
    placedAt: new Date('2026-01-02T00:00:00Z'),
  })
  await anOrder(app, { lines: [aLine('MYSTERY', 3)], placedAt: new Date('2026-01-05T00:00:00Z') })
  await anOrder(app, { lines: [aLine('other')], placedAt: new Date('2026-01-01T00:00:00Z') })
  await anOrder(app, { lines: [aLine('other')], status: 'cancelled' })
  await anOrder(app, { lines: [aLine('')] })
  expect(await inbox()).toMatchObject([
    {
      sku: 'MYSTERY',
      name: 'A MYSTERY',
      order_count: 2,
      quantity: 5,
      first_seen_at: '2026-01-02T00:00:00.000Z',
      last_seen_at: '2026-01-05T00:00:00.000Z',
      is_ignored: false,
      items: [],
    },
    { sku: 'other', order_count: 1, quantity: 1 },
  ])
})

it('mapping a SKU to one piece of an item assigns that item in open orders at once, and in later orders', async () => {
  const { app, dragon, map, inbox, read } = await aShop()
  const open = await anOrder(app, { lines: [aLine('old-drg', 3)] })
  const done = await anOrder(app, { lines: [aLine('old-drg', 1)], status: 'completed' })
  expect((await map('OLD-drg', [dragon, 1])).body).toEqual({
    sku: 'OLD-drg',
    changed_orders: 1,
    proposed_cancellations: [],
  })
  const later = await anOrder(app, { lines: [aLine('OLD-DRG', 2)] })
  expect((await read(open)).items).toMatchObject([{ inventory_item_id: dragon, is_set: false, parts: [] }])
  expect((await read(later)).items).toMatchObject([{ inventory_item_id: dragon, allocated_quantity: 2 }])
  expect((await read(done)).items).toMatchObject([{ inventory_item_id: null }])
  expect(await inbox()).toEqual([])
  expect(await inbox('mapped')).toMatchObject([
    { sku: 'OLD-DRG', order_count: 3, items: [{ inventory_item_id: dragon, sku: 'DRG', quantity: 1 }] },
  ])
  expect(await auditOf(app, 'sku')).toMatchObject([
    { action: 'sku.mapped', after: { items: [{ sku: 'DRG', quantity: 1 }] } },
  ])
})

it('a set is reserved, shipped and returned as its parts', async () => {
  const { app, dragon, egg, map, read, act } = await aShop()
  const id = await anOrder(app, { lines: [aLine('NEST', 3)] })
  await map('NEST', [dragon, 1], [egg, 2])
  const [nest] = (await read(id)).items
  // Each set needs two eggs, so four eggs are enough for two sets.
  expect(accountOf(nest)).toEqual([3, 0, 0, 2, 1])
  expect(nest).toMatchObject({ is_set: true, inventory_item_id: null, unit_price: 1 })
  expect(nest?.parts.map(accountOf)).toEqual([
    [3, 0, 0, 3, 0],
    [6, 0, 0, 4, 2],
  ])
  expect(nest?.parts).toMatchObject([
    { inventory_item_id: dragon, sku: 'DRG', pieces_per_set: 1 },
    { inventory_item_id: egg, sku: 'EGG', pieces_per_set: 2 },
  ])
  const tooMany = await act(id, 'reserve', { items: [{ line_id: nest?.id, quantity: 3 }] })
  expect([tooMany.status, tooMany.body.detail]).toEqual([
    409,
    'Only 4 pieces of “Egg” (EGG) are free, so 6 cannot be reserved.',
  ])
  const reserved = await act(id, 'reserve', { items: [{ line_id: nest?.id, quantity: 2 }] })
  expect(reserved.body.items.flatMap((line) => [line, ...line.parts]).map(accountOf)).toEqual([
    [3, 0, 2, 0, 1],
    [3, 0, 2, 1, 0],
    [6, 0, 4, 0, 2],
  ])
  const shipped = await act(id, 'ship', { items: [{ line_id: nest?.id, quantity: 2 }] })
  expect([shipped.status, shipped.body.status, accountOf(shipped.body.items[0])]).toEqual([
    201,
    'in_progress',
    [3, 2, 0, 0, 1],
  ])
  const back = await act(id, 'return', { items: [{ line_id: nest?.id, quantity: 1 }] })
  expect(back.body.items[0]).toMatchObject({
    returned_quantity: 1,
    parts: [{ returned_quantity: 1 }, { returned_quantity: 2 }],
  })
  // The returned parts are enough for the third set.
  const rest = await act(id, 'ship')
  expect([rest.status, rest.body.status, accountOf(rest.body.items[0])]).toEqual([
    201,
    'completed',
    [3, 3, 0, 0, 0],
  ])
})

it('a set in an order follows the quantity of its line, and frees its pieces when the line gets another SKU', async () => {
  const { app, dragon, egg, map, read, act } = await aShop()
  const id = await anOrder(app, { lines: [aLine('NEST', 1)] })
  await map('NEST', [dragon, 1], [egg, 2])
  await act(id, 'reserve')
  const staff = await app.as('staff')
  const edit = async (items: object[]) =>
    app.http.inject({
      method: 'PUT',
      url: `/api/orders/${id}`,
      headers: { ...staff, 'if-match': '*' },
      payload: { items },
    })
  const line = { name: 'A nest', unit_price: 1 }
  expect((await edit([{ ...line, sku: 'NEST', quantity: 2 }])).statusCode).toBe(200)
  expect((await read(id)).items[0]?.parts.map(accountOf)).toEqual([
    [2, 0, 1, 1, 0],
    [4, 0, 2, 2, 0],
  ])
  expect((await edit([{ ...line, sku: 'EGG', quantity: 3 }])).statusCode).toBe(200)
  expect((await read(id)).items).toMatchObject([
    { inventory_item_id: egg, is_set: false, parts: [], reserved_quantity: 0, allocated_quantity: 3 },
  ])
})

it('an ignored SKU takes no pieces from the stock, and a person can put it back into the inbox', async () => {
  const { app, decide, inbox, read } = await aShop()
  const id = await anOrder(app, { lines: [aLine('WRAP')] })
  expect((await decide('ignore', { sku: 'wrap' })).body.changed_orders).toBe(1)
  const later = await anOrder(app, { lines: [aLine('WRAP')] })
  for (const order of [id, later])
    expect(await read(order)).toMatchObject({ ready_to_pack: true, items: [{ is_ignored: true }] })
  expect(await inbox('ignored')).toMatchObject([{ sku: 'WRAP', is_ignored: true, order_count: 2 }])
  expect((await decide('forget', { sku: 'WRAP' })).body.changed_orders).toBe(2)
  expect(await inbox()).toMatchObject([{ sku: 'WRAP', order_count: 2 }])
  expect((await decide('forget', { sku: 'WRAP' })).body.changed_orders).toBe(0)
})

it('a mapping does not change lines with reserved or shipped pieces', async () => {
  const { app, dragon, egg, map, read, act } = await aShop()
  const id = await anOrder(app, { lines: [aLine('X', 2)] })
  await map('X', [dragon, 1])
  await act(id, 'reserve')
  expect((await map('X', [egg, 1])).body.changed_orders).toBe(0)
  expect((await read(id)).items).toMatchObject([{ inventory_item_id: dragon, reserved_quantity: 2 }])
})

it('a mapping is refused for the SKU of an item, and for an unknown item', async () => {
  const { app, dragon, egg, decide, map, read } = await aShop()
  expect(await map('drg', [egg, 1])).toMatchObject({
    status: 409,
    body: { detail: 'An inventory item has the SKU drg.' },
  })
  expect((await decide('ignore', { sku: 'EGG' })).status).toBe(409)
  const id = await anOrder(app, { lines: [aLine('X')] })
  expect(await map('X', ['0198c0de-0000-7000-8000-000000000001', 1])).toMatchObject({
    status: 422,
    body: { errors: [{ path: 'items.0.inventory_item_id' }] },
  })
  expect((await map('X', [dragon, 1], [dragon, 2])).body.detail).toBe('“Dragon” is in the list twice.')
  expect((await map('X')).status).toBe(422)
  expect((await map('X', [dragon, 1001])).status).toBe(422)
  const huge = await anOrder(app, { lines: [aLine('HUGE', 999_999_999)] })
  expect((await map('HUGE', [dragon, 1000])).status).toBe(422)
  for (const order of [id, huge])
    expect((await read(order)).items).toMatchObject([{ inventory_item_id: null, is_set: false }])
})

it('if two mappings of one SKU arrive at the same time, one of them is saved completely', async () => {
  const { app, dragon, egg, map, read } = await aShop()
  const id = await anOrder(app, { lines: [aLine('NEST', 2)] })
  const answers = await Promise.all([map('NEST', [dragon, 1], [egg, 1]), map('NEST', [egg, 2])])
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  const [line] = (await read(id)).items
  expect([1, 2]).toContain(line?.parts.length)
  expect(line?.parts.every((part) => part.quantity === part.pieces_per_set * 2)).toBe(true)
})

it('a line whose pieces are reserved while its SKU is mapped keeps its item', async () => {
  const { app, dragon, egg, map, act, read } = await aShop()
  await map('MYSTERY', [dragon, 1])
  const id = await anOrder(app, { lines: [aLine('MYSTERY', 2)] })
  // A transaction that reserves pieces has already locked the order when the mapping begins.
  const { promise: canEnd, resolve: end } = Promise.withResolvers<void>()
  const { promise: isHeld, resolve: held } = Promise.withResolvers<void>()
  const reserving = app.database.transaction(async (tx) => {
    await tx`select from orders where id = ${id} for update`
    held()
    await canEnd
    const [row] = await tx<{ id: string }[]>`select id from order_lines where order_id = ${id}`
    await moveStock(
      tx,
      { itemId: dragon, kind: 'reserve', reservedDelta: 2, orderId: id, orderLineId: row?.id ?? null },
      { actor: SYSTEM_ACTOR, now: app.clock.now() },
    )
  })
  await isHeld
  const mapping = map('MYSTERY', [egg, 1])
  await expect
    .poll(async () => {
      const [row] = await app.database.sql<{ count: number }[]>`
        select count(*)::int as count from pg_locks where not granted`
      return row?.count
    })
    .toBeGreaterThan(0)
  end()
  await reserving
  expect((await mapping).body.changed_orders).toBe(0)
  expect((await read(id)).items).toMatchObject([{ inventory_item_id: dragon, reserved_quantity: 2 }])
  expect((await act(id, 'cancel')).body.status).toBe('cancelled')
})

it('a line without an item is matched again when its order is restored, or when its SKU is mapped or ignored', async () => {
  const { app, decide, map, inbox, read, dragon } = await aShop()
  const headers = { ...(await app.as('staff')), 'if-match': '*' }
  const id = await anOrder(app, { lines: [aLine('LATE')] })
  await app.http.inject({ method: 'DELETE', url: `/api/orders/${id}`, headers })
  const late = await anItem(app, { sku: 'LATE', quantity: 1 })
  await app.http.inject({ method: 'POST', url: `/api/orders/${id}/restore`, headers })
  expect((await read(id)).items).toMatchObject([{ inventory_item_id: late }])
  // Imitates an order and an item that two processes add at the same moment, so that the line gets no item.
  const unseen = async () => {
    await app.database.sql`update order_lines set item_id = null where order_id = ${id}`
    expect(await inbox()).toMatchObject([{ sku: 'LATE' }])
  }
  await unseen()
  expect((await map('LATE', [dragon, 1])).body).toMatchObject({ changed_orders: 1 })
  expect((await read(id)).items).toMatchObject([{ inventory_item_id: late }])
  await unseen()
  expect((await decide('ignore', { sku: 'LATE' })).body).toMatchObject({ changed_orders: 1 })
  expect((await read(id)).items).toMatchObject([{ inventory_item_id: late, is_ignored: false }])
  expect((await decide('ignore', { sku: 'LATE' })).status).toBe(409)
})

it('an order is completed if its last unshipped line is ignored', async () => {
  const { app, decide, read, act } = await aShop()
  const id = await anOrder(app, { lines: [aLine('DRG'), aLine('CARD')] })
  const [dragon] = (await read(id)).items
  await act(id, 'ship', { items: [{ line_id: dragon?.id, quantity: 1 }] })
  expect((await read(id)).status).toBe('in_progress')
  await decide('ignore', { sku: 'CARD' })
  expect(await read(id)).toMatchObject({ status: 'completed', ready_to_pack: false })
})
