import type { OrderEvent } from '@pegasus/contracts/orders/order-account'
import { TRASH_DAYS } from '@pegasus/contracts/fields'
import { expect, it } from 'vitest'
import { untilWaiting } from '../../../../test/support/database/lock-waits.ts'
import { aLine, aShop } from '../../../../test/support/sku-decisions.ts'
import { anItem, anOrder } from '../../../../test/support/stock-factories.ts'
import { lockSku } from './sku-mappings.queries.ts'

async function aShopWithTrash() {
  const shop = await aShop()
  const { app, staff } = shop
  const headers = { ...staff, 'if-match': '*' }
  const trash = (id: string) => app.http.inject({ method: 'DELETE', url: `/api/inventory/${id}`, headers })
  const restore = (id: string) => shop.send<{ name: string }>(`/api/inventory/${id}/restore`, {})
  /** Sets the time of the deletion back, so that the item can no longer be restored. */
  const leaveTrash = (id: string) => app.database.sql`
    update items set deleted_at = deleted_at - ${TRASH_DAYS} * interval '1 day' where id = ${id}`
  return { ...shop, trash, restore, leaveTrash }
}

it('a SKU cannot be mapped to an item in the trash, alone or in a set', async () => {
  const { app, dragon, egg, map, trash, leaveTrash, read, inbox } = await aShopWithTrash()
  const id = await anOrder(app, { lines: [aLine('NEST')] })
  await trash(egg)
  for (const items of [
    [[egg, 1]],
    [
      [dragon, 1],
      [egg, 2],
    ],
  ] as const)
    expect(await map('NEST', ...items)).toMatchObject({
      status: 422,
      body: {
        detail: '“Egg” is in the trash. Restore it first, or choose another item.',
        errors: [{ path: `items.${items.length - 1}.inventory_item_id` }],
      },
    })
  expect((await read(id)).items).toMatchObject([{ inventory_item_id: null, is_set: false }])
  expect(await inbox('mapped')).toEqual([])
  await leaveTrash(egg)
  expect((await map('NEST', [egg, 1])).body.detail).toBe('There is no such item.')
})

it('a mapping waits while one of its items is in the trash, and applies again once the item is restored', async () => {
  const { app, dragon, egg, map, send, trash, restore, read, inbox } = await aShopWithTrash()
  const earlier = await anOrder(app, { lines: [aLine('NEST')] })
  await map('NEST', [dragon, 1], [egg, 2])
  await map('OLD', [egg, 1])
  await trash(egg)
  const later = await anOrder(app, { lines: [aLine('nest', 2), aLine('OLD')] })
  const parts = [{ quantity: 1 }, { quantity: 2 }]
  expect((await read(earlier)).items).toMatchObject([{ is_set: true, parts }])
  expect((await read(later)).items).toMatchObject([
    { inventory_item_id: null, is_set: false, missing_quantity: 2 },
    { inventory_item_id: null, is_set: false, missing_quantity: 1 },
  ])
  const gone = { inventory_item_id: egg, sku: 'EGG', name: 'Egg', is_restorable: true }
  const waiting = [
    { sku: 'nest', order_count: 1, items: [], deleted_items: [gone] },
    { sku: 'OLD', order_count: 1, deleted_items: [gone] },
  ]
  expect((await inbox()).toSorted((a) => (a.sku === 'nest' ? -1 : 1))).toMatchObject(waiting)
  expect(await inbox('mapped')).toMatchObject([{ deleted_items: [gone] }, { deleted_items: [gone] }])
  expect((await restore(egg)).status).toBe(200)
  expect(await inbox()).toEqual([])
  expect((await read(later)).items).toMatchObject([
    { is_set: true, parts: [{ quantity: 2 }, { quantity: 4 }] },
    { inventory_item_id: egg },
  ])
  expect((await read(earlier)).items).toMatchObject([{ is_set: true, parts }])
  const historyOf = async (id: string) => (await send<OrderEvent[]>(`/api/orders/${id}/history`)).body
  expect((await historyOf(later)).map(({ action, sku }) => [action, sku])).toEqual([
    ['order.sku_mapped', 'OLD'],
    ['order.sku_mapped', 'NEST'],
  ])
  expect((await historyOf(earlier)).map(({ action }) => action)).toEqual(['order.sku_mapped'])
})

it('a set applies when the last of its items is restored, except to lines for which it has too many pieces', async () => {
  const { app, dragon, egg, map, send, trash, restore, read, decide } = await aShopWithTrash()
  await map('NEST', [dragon, 1000], [egg, 1])
  await map('WRAP', [egg, 1])
  await trash(dragon)
  await trash(egg)
  const id = await anOrder(app, { lines: [aLine('NEST'), aLine('WRAP')] })
  const huge = await anOrder(app, { lines: [aLine('NEST', 999_999_999)] })
  await decide('ignore', { sku: 'WRAP' })
  await restore(egg)
  expect((await read(id)).items).toMatchObject([{ is_set: false }, { is_ignored: true }])
  const bulk = { ids: [dragon], move: 'stock' }
  expect((await send<{ changed: string[] }>('/api/inventory/bulk', bulk)).body.changed).toEqual([dragon])
  expect((await read(id)).items).toMatchObject([{ is_set: true }, { is_ignored: true }])
  expect((await read(huge)).items).toMatchObject([{ is_set: false, inventory_item_id: null }])
})

it('a mapping to an item that left the trash for good can be replaced', async () => {
  const { app, dragon, egg, map, trash, leaveTrash, read, inbox } = await aShopWithTrash()
  await map('OLD', [egg, 1])
  await trash(egg)
  const id = await anOrder(app, { lines: [aLine('OLD')] })
  await leaveTrash(egg)
  expect(await inbox()).toMatchObject([
    { sku: 'OLD', deleted_items: [{ name: 'Egg', is_restorable: false }] },
  ])
  expect((await map('OLD', [dragon, 1])).body.changed_orders).toBe(1)
  expect((await read(id)).items).toMatchObject([{ inventory_item_id: dragon }])
})

it.each([
  ['removes the mapping', [], []],
  ['maps the SKU to a set with an item in the trash', ['dragon', 'gone'], []],
  ['maps the SKU to another item', ['dragon'], []],
  ['changes nothing', ['egg'], ['order.sku_mapped']],
] as const)(
  'if somebody %s while an item is being restored, only a mapping that still applies changes orders',
  async (_what, mapped, actions) => {
    const { app, dragon, egg, map, send, trash, restore, read } = await aShopWithTrash()
    const gone = await anItem(app, { sku: 'GONE', quantity: 1 })
    const items = { dragon, egg, gone }
    await map('NEST', [egg, 1])
    await trash(egg)
    await trash(gone)
    const id = await anOrder(app, { lines: [aLine('NEST')] })
    const held = Promise.withResolvers<void>()
    const canEnd = Promise.withResolvers<void>()
    const deciding = app.database.transaction(async (tx) => {
      await lockSku(tx, 'NEST')
      held.resolve()
      await canEnd.promise
      await tx`delete from sku_mapping_items where sku = 'NEST'`
      if (mapped.length === 0) await tx`delete from sku_mappings where sku = 'NEST'`
      for (const [position, name] of mapped.entries())
        await tx`
          insert into sku_mapping_items (sku, item_id, position, quantity)
          values ('NEST', ${items[name]}, ${position}, 1)`
    })
    await held.promise
    const restoring = restore(egg)
    await untilWaiting(app, 1)
    canEnd.resolve()
    await deciding
    expect((await restoring).status).toBe(200)
    const history = (await send<OrderEvent[]>(`/api/orders/${id}/history`)).body
    expect(history.map(({ action }) => action)).toEqual(actions)
    const isApplied = actions.length > 0
    expect((await read(id)).items).toMatchObject([
      { inventory_item_id: isApplied ? egg : null, is_set: false },
    ])
  },
)
