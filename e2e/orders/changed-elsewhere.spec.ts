import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import type { Order } from '@pegasus/contracts/orders/orders'
import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import { bearer, get, post } from '../support/accounts.ts'
import { expect } from '../support/fixtures.ts'
import { test } from '../support/staffed-shop.ts'

test('after an order was cancelled elsewhere, its page says how many print jobs still wait for it, and offers to cancel them', async ({
  filledShop,
  openAs,
}) => {
  const { url } = filledShop.product
  const headers = bearer(filledShop.staff.owner)
  const name = `Waiting clip ${test.info().project.name}`
  const item = await post<InventoryItem>(`${url}/api/inventory`, { name }, headers)
  const items = [{ sku: item.sku, name, quantity: 3, unit_price: 1 }]
  const order = await post<Order>(`${url}/api/orders`, { customer_name: 'Ada', items }, headers)
  const job = { inventory_item_id: item.id, order_id: order.id, quantity: 1 }
  const jobs = [
    await post<PrintJob>(`${url}/api/print-queue`, job, headers),
    await post<PrintJob>(`${url}/api/print-queue`, job, headers),
  ]
  const page = await openAs(filledShop, 'employee')
  await page.goto(`${url}/?tab=orders&order=${order.id}`)
  await expect(page.getByRole('heading', { name: order.order_number })).toBeVisible()
  await post(`${url}/api/orders/${order.id}/cancel`, {}, headers)
  const note = page.getByText('2 print jobs still wait for this order', { exact: true })
  await expect(note).toBeVisible()
  await page.getByRole('button', { name: 'Review', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Cancel 2 print jobs too?' })
  await dialog.getByRole('button', { name: 'Keep in the queue' }).click()
  await expect(note).toBeVisible()
  await page.getByRole('button', { name: 'Review', exact: true }).click()
  await dialog.getByRole('button', { name: 'Cancel 2 print jobs' }).click()
  await expect(note).toBeHidden()
  await expect(dialog).toBeHidden()
  for (const { id } of jobs)
    expect(await get<PrintJob>(`${url}/api/print-queue/${id}`, headers)).toMatchObject({
      status: 'cancelled',
    })
})
