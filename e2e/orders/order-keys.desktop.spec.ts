import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import type { Order } from '@pegasus/contracts/orders/orders'
import { bearer, get, post } from '../support/accounts.ts'
import { expect } from '../support/fixtures.ts'
import { test } from '../support/staffed-shop.ts'

test('a person can open, process and ship an order with the keyboard alone, without losing the focus', async ({
  filledShop,
  openAs,
}) => {
  const { url } = filledShop.product
  const headers = bearer(filledShop.staff.owner)
  const sku = 'KEYS-1'
  await post<InventoryItem>(`${url}/api/inventory`, { name: sku, sku, quantity: 3 }, headers)
  for (const number of ['KEYS-A', 'KEYS-B', 'KEYS-C'])
    await post<Order>(
      `${url}/api/orders`,
      {
        order_number: number,
        customer_name: 'Ada',
        items: [{ sku, name: sku, quantity: 1, unit_price: 3 }],
      },
      headers,
    )
  const page = await openAs(filledShop, 'employee')
  const { keyboard } = page
  /** Presses a key for as long as a person does. The app treats faster keys followed by Enter as a scan. */
  const press = (key: string) => keyboard.press(key, { delay: 60 })
  /** Returns the text or label of the focused element, or `lost` if no element has the focus. */
  const focus = () =>
    page.evaluate(() => {
      const { activeElement: active } = document
      if (!active || active === document.body) return 'lost'
      return active.textContent?.trim() || active.getAttribute('aria-label') || active.tagName
    })
  await page.goto(`${url}/?tab=orders&search=KEYS`)
  await expect(page.getByText('3 orders', { exact: true })).toBeVisible()
  for (const [key, number] of [
    ['j', 'KEYS-C'],
    ['j', 'KEYS-B'],
    ['ArrowDown', 'KEYS-A'],
    ['k', 'KEYS-B'],
  ] as const) {
    await press(key)
    expect(await focus()).toBe(number)
  }
  await press('x')
  await expect(page.getByRole('checkbox', { name: 'Select KEYS-B' })).toBeChecked()
  await press('x')
  await expect(page.getByRole('checkbox', { name: 'Select KEYS-B' })).not.toBeChecked()
  await expect.poll(focus).toBe('KEYS-B')
  await press('Enter')
  await expect(page.getByRole('heading', { name: 'KEYS-B' })).toBeVisible()
  await expect.poll(focus).not.toBe('lost')
  await press('r')
  await expect(page.getByText('1 ordered = 1 reserved', { exact: true })).toBeVisible()
  expect(await focus()).not.toBe('lost')
  await press('s')
  const dialog = page.getByRole('dialog', { name: 'Ship KEYS-B' })
  await expect(dialog.getByLabel(`Pieces of ${sku}`)).toHaveValue('1')
  await expect(dialog.locator(':focus')).toHaveCount(1)
  await press('Escape')
  await expect(dialog).toBeHidden()
  await expect.poll(focus).not.toBe('lost')
  await press('s')
  await dialog.getByLabel('Tracking number').focus()
  await keyboard.type('JD01')
  await press('Enter')
  await expect(page.getByText('1 ordered = 1 shipped', { exact: true })).toBeVisible()
  await expect(dialog).toBeHidden()
  await expect.poll(focus).not.toBe('lost')
  // Escape returns to the list, with the focus on the opened order. One key then moves to the next order.
  await press('Escape')
  await expect(page.getByText('3 orders', { exact: true })).toBeVisible()
  await expect.poll(focus).toBe('KEYS-B')
  await press('j')
  expect(await focus()).toBe('KEYS-A')
  const [shipped] = await get<Order[]>(`${url}/api/orders?search=KEYS-B`, headers)
  expect(shipped).toMatchObject({ status: 'completed', shipments: [{ tracking_number: 'JD01' }] })
})
