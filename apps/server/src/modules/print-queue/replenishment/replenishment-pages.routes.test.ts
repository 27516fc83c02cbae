import type { ReplenishmentLine } from '@pegasus/contracts/print-queue/replenishment'
import { expect, it } from 'vitest'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { aModel } from '../../../../test/support/library/library-factories.ts'
import { allPages, anItem } from '../../../../test/support/stock-factories.ts'

it('the list of items to restock has pages, sorted by name', async () => {
  const app = await buildTestApp()
  const stl_file_id = await aModel(app)
  for (const name of ['Hook', 'Egg', 'Dragon']) await anItem(app, { name, stl_file_id, quantity: 0 })
  const headers = await app.as('staff')
  const url = '/api/inventory/replenishment'
  const { items, total } = await allPages<ReplenishmentLine>(app, headers, `${url}?limit=2`)
  expect([items.map(({ name }) => name), total]).toEqual([['Dragon', 'Egg', 'Hook'], '3'])
  expect((await app.http.inject({ url: `${url}?limit=1001`, headers })).statusCode).toBe(422)
})
