import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import type { Order } from '@pegasus/contracts/orders/orders'
import type { Locator, Page } from '@playwright/test'
import { expect } from '../support/fixtures.ts'
import { bearer, post } from '../support/accounts.ts'
import { test } from '../support/staffed-shop.ts'

// This test provokes a refusal, and the browser logs it as an error.
test.use({ allowedProblem: /status of 409/ })

const toastOf = (page: Page) => page.getByRole('region', { name: /^Notifications/ }).getByRole('listitem')

test('a stock form asks before Escape discards typed values, and names the order of a released reservation', async ({
  filledShop,
  openAs,
}) => {
  const { url } = filledShop.product
  const headers = bearer(filledShop.staff.owner)
  const name = `Held ${test.info().project.name}`
  const item = await post<InventoryItem>(`${url}/api/inventory`, { name, quantity: 9 }, headers)
  const order = await post<Order>(
    `${url}/api/orders`,
    {
      order_number: `HELD-${test.info().project.name}`,
      customer_name: 'Ada',
      items: [{ inventory_item_id: item.id, name, quantity: 4, unit_price: 3 }],
    },
    headers,
  )
  await post(`${url}/api/inventory/${item.id}/reserve`, { quantity: 4, order_id: order.id }, headers)
  await post(`${url}/api/inventory/${item.id}/reserve`, { quantity: 2 }, headers)
  const page = await openAs(filledShop, 'owner')
  const discardIn = async (dialog: Locator, label: string) => {
    await dialog.getByLabel(label, { exact: true }).fill('7')
    await page.keyboard.press('Escape')
    await dialog.getByRole('button', { name: 'Keep editing' }).click()
    await expect(dialog.getByLabel(label, { exact: true })).toHaveValue('7')
    await page.keyboard.press('Escape')
    await dialog.getByRole('button', { name: 'Discard' }).click()
    await expect(dialog).toBeHidden()
  }
  await page.goto('/?tab=inventory')
  await page.getByRole('button', { name: 'Inventory tools' }).click()
  await page.getByRole('menuitem', { name: 'Cost settings' }).click()
  await discardIn(page.getByRole('dialog', { name: 'Cost settings' }), 'Machine time')
  await page.goto('/?tab=inventory&view=locations')
  await page.getByRole('button', { name: 'Add location' }).click()
  await discardIn(page.getByRole('dialog', { name: 'Add location' }), 'Notes')

  await page.goto(`/?tab=inventory&item=${item.id}`)
  await page.getByRole('button', { name: 'Release', exact: true }).click()
  const releasing = page.getByRole('dialog', { name: 'Release reserved pieces' })
  const holder = releasing.getByRole('combobox', { name: 'Release' })
  await expect(holder.getByRole('option')).toHaveText([
    'Reserved without an order (2)',
    `Reserved for ${order.order_number}, ${order.customer_name} (4)`,
  ])
  await expect(releasing.getByLabel('Pieces to release')).toHaveValue('2')
  await releasing.getByLabel('Pieces to release').fill('3')
  await releasing.getByRole('button', { name: 'Release' }).click()
  await expect(releasing.getByRole('alert')).toContainText(`4 for order ${order.order_number}`)
  await holder.selectOption({ index: 1 })
  await expect(releasing.getByLabel('Pieces to release')).toHaveValue('4')
  await releasing.getByRole('button', { name: 'Release' }).click()
  await expect(toastOf(page)).toContainText(`${name}: 4 pieces released`)
  await page.close()
  await post(`${url}/api/orders/${order.id}/cancel`, {}, headers)
  await post(`${url}/api/inventory/${item.id}/release`, { quantity: 2 }, headers)
  await post(`${url}/api/inventory/bulk`, { ids: [item.id], move: 'bin' }, headers)
})
