import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import { expect } from '../support/fixtures.ts'
import { bearer, get, post } from '../support/accounts.ts'
import { test } from '../support/staffed-shop.ts'

test('an item shows its source model, status, reorder point, location and price, and a print job on the dashboard its status', async ({
  filledShop,
  openAs,
}) => {
  const { url } = filledShop.product
  const owner = bearer(filledShop.staff.owner)
  const [model] = await get<{ id: string; title: string }[]>(`${url}/api/stl-files?limit=1`, owner)
  if (!model) throw new Error('the library is empty')
  const sku = `FACTS-${test.info().project.name.toUpperCase()}`
  const body = {
    name: `Facts ${sku}`,
    sku,
    quantity: 20,
    reorder_point: 7,
    location: 'Wall',
    selling_price: 12.5,
  }
  const item = await post<InventoryItem>(`${url}/api/inventory`, { ...body, stl_file_id: model.id }, owner)
  const job = await post<PrintJob>(
    `${url}/api/print-queue`,
    { inventory_item_id: item.id, quantity: 3, priority: 1 },
    owner,
  )
  try {
    const page = await openAs(filledShop, 'viewer')
    await page.goto(`/?tab=inventory&search=${sku}`)
    const shown = page.getByRole('main')
    await expect(shown.getByRole('link', { name: body.name })).toBeVisible()
    for (const text of [sku, model.title, 'In Stock', 'reorder 7', 'Wall', '$12.50'])
      await expect(shown.getByText(text).filter({ visible: true }).first()).toBeVisible()
    await page.goto('/')
    const line = page.getByRole('listitem').filter({ hasText: body.name })
    for (const text of ['× 3', 'P1', 'Pending'])
      await expect(line.getByText(text, { exact: true }).filter({ visible: true })).toBeVisible()
  } finally {
    await post(`${url}/api/print-queue/${job.id}/cancel`, {}, owner)
    await post(`${url}/api/inventory/bulk`, { ids: [item.id], move: 'bin' }, owner)
  }
})
