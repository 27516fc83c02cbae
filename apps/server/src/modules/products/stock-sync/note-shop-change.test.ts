import { v7 as uuidv7 } from 'uuid'
import { expect, it } from 'vitest'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { anItem } from '../../../../test/support/stock-factories.ts'
import { noteShopChange } from './stock-sync.queries.ts'

const PRODUCTS = 3000

it('recording an order of the shop does not read all products', async () => {
  const app = await buildTestApp()
  const item = await anItem(app, { sku: 'DRG', quantity: 9 })
  const now = app.clock.now()
  const [read] = await app.database.transaction(async (tx) => {
    await tx`
      insert into products (id, name, slug, category, price_minor, stock, description, item_id, status, published_at,
                            created_at, updated_at)
      select gen_random_uuid(), 'Dragon', 'dragon-' || n, 'miniatures', 2000, 1, repeat('Fire ', 40),
             case when n = 1 then ${item}::uuid end, 'published', ${now}, ${now}, ${now}
      from generate_series(1, ${PRODUCTS}::int) n`
    await tx`analyze products`
    const reads = () => tx<{ seq_scan: string }[]>`
      select seq_scan from pg_stat_xact_user_tables where relname = 'products'`
    const [before] = await reads()
    await noteShopChange(tx, { orderId: uuidv7(), itemIds: [item], now })
    const [after] = await reads()
    const noted = await tx`select from sent_stocks where shop_changes = 1`
    return [{ scans: Number(after?.seq_scan) - Number(before?.seq_scan), noted: noted.length }]
  })
  expect(read).toEqual({ scans: 0, noted: 1 })
})
