import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import type { Order } from '@pegasus/contracts/orders/orders'
import { bearer, post } from '../support/accounts.ts'
import { expect } from '../support/fixtures.ts'
import { test } from '../support/staffed-shop.ts'

test('on a phone, order numbers are shown whole, an overdue order is marked, and the days of the report have names', async ({
  filledShop,
  openAs,
}) => {
  const { url } = filledShop.product
  const headers = bearer(filledShop.staff.owner)
  const item = await post<InventoryItem>(`${url}/api/inventory`, { name: 'Phone clip', quantity: 9 }, headers)
  const customer_name = 'Ana Telefónica'
  const add = (order_number: string, more: object = {}) =>
    post<Order>(
      `${url}/api/orders`,
      {
        order_number,
        customer_name,
        items: [{ sku: item.sku, name: item.name, quantity: 1, unit_price: 2.5 }],
        ...more,
      },
      headers,
    )
  const late = await add('PHONE-20201128-0001', { due_at: '2020-01-02T12:00:00Z' })
  const { id } = await add('PHONE-20201128-0002')
  const page = await openAs(filledShop, 'employee')
  await page.goto(`${url}/?tab=orders&order=${id}`)

  const others = page.locator('section', {
    has: page.getByRole('heading', { name: 'Other orders of this customer' }),
  })
  const number = others.getByText(late.order_number, { exact: true })
  await expect(number).toBeVisible()
  expect(await number.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true)
  // An order that is ready to pack needs no plan.
  await expect(page.getByText('Ready to pack', { exact: true })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Plan', exact: true })).toHaveCount(0)

  await page.goto(`${url}/?tab=orders&search=PHONE-`)
  const row = (order: string) => page.getByRole('link', { name: new RegExp(order) })
  await expect(row('PHONE-20201128-0001')).toContainText('Overdue')
  await expect(row('PHONE-20201128-0002')).not.toContainText('Overdue')
  await page.goto(`${url}/?${new URLSearchParams({ tab: 'orders', customer: customer_name })}`)
  await expect(row('PHONE-20201128-0001')).not.toContainText(customer_name)

  await page.goto(`${url}/?tab=orders&order=${id}`)
  await page.getByRole('button', { name: 'More for PHONE-20201128-0002', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Change lines', exact: true }).click()
  await expect(page.getByLabel('Price of Phone clip')).toHaveValue('2.50')

  await page.goto(`${url}/?tab=orders&sales=month`)
  for (const label of ['From', 'To']) await expect(page.getByText(label, { exact: true })).toBeVisible()
  for (const order of [late.id, id]) await post(`${url}/api/orders/${order}/cancel`, {}, headers)
})
