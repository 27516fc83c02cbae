import type { StockLevel } from '@pegasus/contracts/integration'
import { describe, expect, it } from 'vitest'
import { aKey, keyHeader } from '../../../../test/support/accounts/api-keys.ts'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { aMovement, allPages, anItem } from '../../../../test/support/stock-factories.ts'

const URL = '/api/integration/stock'

describe('GET /api/integration/stock', () => {
  it('GET /api/integration/stock returns the stock that can be sold, without costs, locations and notes', async () => {
    const app = await buildTestApp()
    const { key } = await aKey(app, { role: 'viewer', scope: ['integration'] })
    const id = await anItem(app, {
      name: 'Wall hook',
      sku: 'HOOK-1',
      quantity: 42,
      location: 'Rack A3',
      material_cost_minor: 78,
      labor_cost_minor: 150,
      selling_price_minor: 1850,
      notes: 'secret sauce',
    })
    await aMovement(app, { itemId: id, kind: 'reserve', reservedDelta: 6 })
    const answer = await app.http.inject({ url: URL, headers: keyHeader(key) })
    expect(answer.json<StockLevel[]>()).toEqual([
      {
        id,
        sku: 'HOOK-1',
        name: 'Wall hook',
        quantity: 42,
        reserved_quantity: 6,
        available_quantity: 36,
        status: 'In Stock',
        selling_price: 18.5,
        currency: 'USD',
        updated_at: app.clock.now().toISOString(),
      },
    ])
  })

  it('GET /api/integration/stock returns pages, or the item with a given SKU in upper or lower case', async () => {
    const app = await buildTestApp()
    const { key } = await aKey(app, { scope: ['integration'] })
    for (const sku of ['A-1', 'A-2', 'B-3']) await anItem(app, { sku })
    const { items, total } = await allPages<StockLevel>(app, keyHeader(key), `${URL}?limit=2`)
    expect([items.map(({ sku }) => sku).toSorted(), total]).toEqual([['A-1', 'A-2', 'B-3'], '3'])
    const of = async (sku: string) => {
      const answer = await app.http.inject({
        url: `${URL}?sku=${encodeURIComponent(sku)}`,
        headers: keyHeader(key),
      })
      return answer.json<StockLevel[]>().map((level) => level.sku)
    }
    expect([await of('a-2'), await of('A'), await of('%'), await of('')]).toEqual([['A-2'], [], [], []])
  })

  it('GET /api/integration/stock refuses invalid input with 422', async () => {
    const app = await buildTestApp()
    const { key } = await aKey(app, { scope: ['integration'] })
    for (const query of ['?limit=0', '?limit=1001', '?cursor=abc', '?sku=%00', `?sku=${'x'.repeat(65)}`])
      expect((await app.http.inject({ url: URL + query, headers: keyHeader(key) })).statusCode).toBe(422)
  })
})
