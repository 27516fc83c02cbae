import type { OrderedSku } from '@pegasus/contracts/orders/sku-mappings'
import { expect, it } from 'vitest'
import { aLine, aShop } from '../../../../test/support/sku-decisions.ts'
import { allPages, anOrder } from '../../../../test/support/stock-factories.ts'

it('the lists of unknown and of ignored SKUs have pages', async () => {
  const { app } = await aShop()
  await anOrder(app, { lines: [aLine('ONE'), aLine('TWO'), aLine('THREE')] })
  await anOrder(app, { lines: [aLine('TWO')] })
  const headers = await app.as('staff')
  const url = '/api/orders/unknown-skus'
  const listed = async (state: string) => {
    const { items, total } = await allPages<OrderedSku>(app, headers, `${url}?state=${state}&limit=1`)
    return [items.map(({ sku }) => sku), total]
  }
  expect(await listed('unknown')).toEqual([['TWO', 'ONE', 'THREE'], '3'])
  for (const sku of ['ONE', 'TWO', 'THREE']) {
    await app.http.inject({ method: 'POST', url: `${url}/ignore`, headers, payload: { sku } })
    app.clock.advance(1000)
  }
  expect(await listed('ignored')).toEqual([['THREE', 'TWO', 'ONE'], '3'])
  for (const cursor of ['WzBd', 'WzEsMl0', 'nonsense'])
    expect((await app.http.inject({ url: `${url}?cursor=${cursor}`, headers })).statusCode).toBe(422)
})
