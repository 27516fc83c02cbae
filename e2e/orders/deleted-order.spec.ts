import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import type { Order } from '@pegasus/contracts/orders/orders'
import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import { bearer, get, post } from '../support/accounts.ts'
import { expect } from '../support/fixtures.ts'
import { test } from '../support/staffed-shop.ts'

// The page requests the order once more during its deletion.
test.use({ allowedProblem: /status of 404/ })

test('the toast of a deleted order offers to restore it, or to cancel its waiting print jobs', async ({
  filledShop,
  openAs,
}) => {
  const { url } = filledShop.product
  const headers = bearer(filledShop.staff.owner)
  const name = `Deleted clip ${test.info().project.name}`
  const item = await post<InventoryItem>(`${url}/api/inventory`, { name }, headers)
  const items = [{ sku: item.sku, name, quantity: 3, unit_price: 1 }]
  const order = await post<Order>(`${url}/api/orders`, { customer_name: 'Ada', items }, headers)
  const wanted = { inventory_item_id: item.id, order_id: order.id, quantity: 3 }
  const job = await post<PrintJob>(`${url}/api/print-queue`, wanted, headers)
  const page = await openAs(filledShop, 'employee')
  const remove = async () => {
    await page.goto(`${url}/?tab=orders&order=${order.id}`)
    await page.getByRole('button', { name: `More for ${order.order_number}`, exact: true }).click()
    await page.getByRole('menuitem', { name: 'Delete', exact: true }).click()
    await expect(page.getByText(`${order.order_number} deleted`, { exact: true })).toBeVisible()
  }
  await remove()
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(page.getByText(`${order.order_number} is back`, { exact: true })).toBeVisible()
  await remove()
  await page.getByRole('button', { name: 'Cancel 1 print job', exact: true }).click()
  await expect(page.getByText('1 print job cancelled', { exact: true })).toBeVisible()
  expect(await get<PrintJob>(`${url}/api/print-queue/${job.id}`, headers)).toMatchObject({
    status: 'cancelled',
  })
})
