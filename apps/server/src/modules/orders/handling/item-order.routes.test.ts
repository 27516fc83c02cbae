import { expect, it } from 'vitest'
import { aSalesShop, line } from '../../../../test/support/sales-shop.ts'
import { anOrder } from '../../../../test/support/stock-factories.ts'

it('returns and undone shipments lock their items in the order of their ids, like shipments', async () => {
  const { app, act } = await aSalesShop()
  const movedItems = async (kind: 'return' | 'adjust', orderId: string) =>
    (
      await app.database.sql<{ item_id: string }[]>`
        select item_id from movements where kind = ${kind} and order_id = ${orderId} order by id`
    ).map((movement) => movement.item_id)
  for (const skus of [
    ['DRG', 'STD'],
    ['STD', 'DRG'],
  ]) {
    const lines = skus.map((sku) => line(sku, 1, 1000))
    const undone = await anOrder(app, { lines })
    const { shipments } = await act(undone, 'ship')
    await act(undone, 'undo-shipment', { shipment_id: shipments[0]?.id })
    const returned = await anOrder(app, { lines })
    const { items } = await act(returned, 'ship')
    await act(returned, 'return', {
      items: items.map(({ id }) => ({ line_id: id, quantity: 1, to: 'stock' })),
    })
    for (const moved of [await movedItems('adjust', undone), await movedItems('return', returned)]) {
      expect(moved).toHaveLength(2)
      expect(moved).toEqual(moved.toSorted())
    }
  }
})
