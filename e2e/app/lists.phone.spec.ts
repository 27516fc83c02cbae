import type { Order } from '@pegasus/contracts/orders/orders'
import type { Printer } from '@pegasus/contracts/print-queue/printers'
import type { Locator, Page } from '@playwright/test'
import { bearer, post } from '../support/accounts.ts'
import { expect } from '../support/fixtures.ts'
import { test } from '../support/staffed-shop.ts'

/** Height of the space between a message and the list below it, in px. */
const MESSAGE_MARGIN = 12

/** The lists, each with the role of its rows or cards. */
const LISTS = [
  ['/?tab=stl-library', 'article'],
  ['/?tab=inventory', 'listitem'],
  ['/?tab=orders', 'listitem'],
  ['/?tab=print-queue', 'listitem'],
  ['/?tab=filament', 'article'],
  ['/?tab=products', 'listitem'],
  ['/?tab=people', 'listitem'],
  ['/?tab=audit', 'listitem'],
  ['/?tab=inventory&view=locations', 'listitem'],
  ['/?tab=print-queue&view=schedule', 'listitem'],
] as const

/**
 * Returns the distance of a row from the top of the window. A message above the list does not count, because another
 * test may have caused it, for example by a failed comparison with the shop.
 */
async function topOf(page: Page, row: Locator): Promise<number> {
  const [y, messages] = await Promise.all([
    row.boundingBox().then((box) => box?.y ?? Infinity),
    page.getByRole('main').getByRole('alert').all(),
  ])
  const heights = await Promise.all(messages.map(async (each) => (await each.boundingBox())?.height ?? 0))
  return heights.reduce((top, height) => top - height - MESSAGE_MARGIN, y)
}

test('on a phone, each list shows its first row near the top', async ({ filledShop, openAs }) => {
  const { url } = filledShop.product
  const owner = bearer(filledShop.staff.owner)
  const printer = await post<Printer>(`${url}/api/printers`, { name: 'First row printer' }, owner)
  const page = await openAs(filledShop, 'owner')
  for (const [address, role] of LISTS) {
    await page.goto(address)
    const first = page.getByRole('main').getByRole(role).first()
    await expect(first, address).toBeVisible()
    await expect.poll(() => topOf(page, first), address).toBeLessThanOrEqual(180)
  }
  // In the document, the figures of the API keys come first. On a phone, the list is shown above them.
  await page.goto('/?tab=api-keys')
  const key = page.getByRole('list', { name: 'API keys' }).getByRole('listitem').first()
  await expect(key).toBeVisible()
  expect((await key.boundingBox())?.y).toBeLessThanOrEqual(180)
  const removed = await fetch(`${url}/api/printers/${printer.id}`, { method: 'DELETE', headers: owner })
  expect(removed.status).toBe(204)
})

test("on a phone, the page of an entity shows its next step at the bottom, within thumb's reach", async ({
  filledShop,
  openAs,
}) => {
  const page = await openAs(filledShop, 'staff')
  await page.goto(`/?tab=stl-library&model=${filledShop.model.id}`)
  const actions = page.getByRole('group', { name: 'Actions' })
  await expect(actions.getByRole('link', { name: 'Print' })).toBeVisible()
  const box = await actions.boundingBox()
  expect(box?.y).toBeGreaterThan(600)
  await actions.getByRole('link', { name: 'Print' }).click()
  await expect(page.getByRole('dialog', { name: 'Add Job' })).toContainText(filledShop.model.title)
})

test('on a phone, overdue orders and unknown SKUs do not push the first order down the page', async ({
  filledShop,
  openAs,
}) => {
  const { url } = filledShop.product
  const order = {
    order_number: 'LATE-1',
    customer_name: 'Ana',
    due_at: '2020-01-02T12:00:00Z',
    items: [{ sku: 'NO-SUCH-SKU', name: 'Clip', quantity: 1, unit_price: 1 }],
  }
  const { id } = await post<Order>(`${url}/api/orders`, order, bearer(filledShop.staff.owner))
  const page = await openAs(filledShop, 'staff')
  await page.goto('/?tab=orders')
  const main = page.getByRole('main')
  // Other tests add orders, too.
  await expect(main.getByRole('link', { name: /^[\d,]+ unknown SKUs?$/ })).toBeVisible()
  const overdue = main.getByRole('link', { name: /^[\d,]+ overdue$/ })
  await expect(overdue).toBeVisible()
  const first = main.getByRole('listitem').first()
  await expect.poll(() => topOf(page, first)).toBeLessThanOrEqual(180)
  await overdue.click()
  await expect(page).toHaveURL(/due=today/)
  await post(`${url}/api/orders/${id}/cancel`, {}, bearer(filledShop.staff.owner))
})
