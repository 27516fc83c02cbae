import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import type { Order } from '@pegasus/contracts/orders/orders'
import { expect } from '@playwright/test'
import { bearer, get, post } from '../support/accounts.ts'
import { test } from '../support/staffed-shop.ts'

// A test fetches orders from a main site that does not respond.
test.use({ allowedProblem: /status of 502/ })

const RECENT = 'pegasus-ops-recent'

test('the palette finds and opens every kind of page with the keyboard, and lists the last opened pages', async ({
  filledShop,
  openAs,
}) => {
  const page = await openAs(filledShop, 'staff')
  const { keyboard } = page
  const option = (name: string | RegExp) => page.getByRole('option', { name })
  const group = (name: string) => page.getByRole('group', { name })
  const open = async () => {
    await keyboard.press('Control+k')
    await expect(page.getByPlaceholder('Search everything, or run a command')).toBeFocused()
  }
  await page.goto(`${filledShop.product.url}/?tab=filament`)
  await expect(page.getByText(/^\d+ spools$/)).toBeVisible()
  await open()
  await keyboard.type('hook-1')
  await expect(group('Inventory').getByRole('option').first()).toContainText('HOOK-1')
  // A search for the item also finds the running job that prints it.
  await expect(group('Print Queue').getByRole('option').first()).toContainText('in progress')
  await keyboard.press('Enter')
  await expect(page).toHaveURL(/tab=inventory&item=/)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Wall hook')

  await open()
  await expect(group('Recent').getByRole('option').first()).toContainText('Wall hook')
  await keyboard.type('keisuke')
  await expect(group('Orders').getByRole('option').first()).toContainText('PO-001')
  await group('Customers').getByRole('option', { name: 'Keisuke Yamanaka' }).click()
  // The page of a customer links to their orders, and the page of an order links to its customer.
  await expect(page.getByRole('heading', { level: 1, name: 'Keisuke Yamanaka' })).toBeVisible()
  const orders = page.getByRole('region', { name: 'Orders of this customer' })
  await orders.getByRole('link', { name: 'PO-001' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'PO-001' })).toBeVisible()
  await page.getByRole('link', { name: 'Keisuke Yamanaka' }).first().click()
  await expect(orders).toBeVisible()

  // Words about a task find the help of the tab for that task. The help has a quick start as a PDF.
  await open()
  await keyboard.type('count a shelf')
  // While the search is running, hits for the first letters can be above the help.
  await expect(page.getByRole('option').first()).toContainText('Help: Inventory')
  await keyboard.press('Enter')
  const help = page.getByRole('dialog', { name: 'Help and keyboard shortcuts' })
  await expect(help.getByLabel('Help for')).toHaveValue('inventory')
  const quickStart = page.waitForEvent('download')
  await help.getByRole('button', { name: 'Quick start to print' }).click()
  expect((await quickStart).suggestedFilename()).toBe('pegasus-ops-quick-start.pdf')
  await keyboard.press('Escape')
  await expect(help).toBeHidden()

  await open()
  await keyboard.type('prusament orange')
  await expect(group('Filament').getByRole('option').first()).toContainText('Signal Orange')
  await page.getByPlaceholder('Search everything, or run a command').fill('add')
  await expect(option('New item')).toBeVisible()
  await expect(option('Upload STL')).toBeVisible()
  const fill = (words: string) => page.getByPlaceholder('Search everything, or run a command').fill(words)
  await fill('no such thing')
  await expect(page.getByText('Nothing matches “no such thing”.')).toBeVisible()

  // Type a customer's name and a command with typing errors.
  await fill('keisuek yamnaka')
  await expect(group('Customers').getByRole('option', { name: 'Keisuke Yamanaka' })).toBeVisible()
  await fill('new ordr')
  await expect(group('Commands').getByRole('option', { name: 'New order' })).toBeVisible()
  await fill('prnt queue')
  await expect(group('Commands').getByRole('option', { name: 'Go to Print Queue' })).toBeVisible()
  await fill('add spol')
  await group('Commands').getByRole('option', { name: 'New spool' }).click()
  await expect(page.getByRole('dialog', { name: 'Add Filament' })).toBeVisible()
  await keyboard.press('Escape')
  await expect(page.getByRole('dialog', { name: 'Add Filament' })).toBeHidden()
  await expect(page).not.toHaveURL(/add=/)
})

test('a sign-out clears the list of the last opened pages', async ({ filledShop, openAs }) => {
  const page = await openAs(filledShop, 'employee')
  // Other tests use the same session, so the request to sign out must not reach the server.
  await page.route('**/auth/v1/logout*', (route) => route.fulfill({ status: 204 }))
  await page.goto(`${filledShop.product.url}/?tab=stl-library&model=${filledShop.model.id}`)
  await expect(page.getByRole('heading', { name: filledShop.model.title, level: 1 })).toBeVisible()
  const kept = () => page.evaluate((key) => localStorage.getItem(key), RECENT)
  await expect.poll(kept).toContain(filledShop.model.title)
  await page.keyboard.press('Control+k')
  await page.getByPlaceholder('Search everything, or run a command').fill('sign out')
  await page.getByRole('option', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading', { name: 'Ops Login' })).toBeVisible()
  expect(await kept()).toBeNull()
})

test('the palette lists the actions that are possible for an order now, and the commands for orders', async ({
  filledShop,
  openAs,
}) => {
  const { url } = filledShop.product
  const headers = bearer(filledShop.staff.owner)
  const sku = `PAL-${test.info().project.name}`
  await post<InventoryItem>(`${url}/api/inventory`, { name: sku, sku, quantity: 1 }, headers)
  const items = [{ sku, name: sku, quantity: 3, unit_price: 1 }]
  const customer_name = `Palette ${sku}`
  const add = (order_number: string) =>
    post<Order>(`${url}/api/orders`, { order_number, customer_name, items }, headers)
  const { id } = await add(`${sku}-1`)
  const page = await openAs(filledShop, 'employee')
  const typeWords = async (words: string) => {
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder('Search everything, or run a command').fill(words)
  }
  const orderOptions = page.getByRole('group', { name: 'Orders' }).getByRole('option')
  await page.goto(`${url}/?tab=inventory`)
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeAttached()
  await typeWords(`${sku}-1`)
  await expect(orderOptions).toContainText([
    `${sku}-1`,
    `Print what is missing for ${sku}-1`,
    `Pick ${sku}-1`,
    `Ship ${sku}-1`,
    `Reserve pieces for ${sku}-1`,
  ])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.getByText(`Queued 1 plate for ${sku}-1`, { exact: true }).first()).toBeVisible()
  expect(await get<Order>(`${url}/api/orders/${id}`, headers)).toMatchObject({
    items: [{ queued_quantity: 2, missing_quantity: 0 }],
  })

  await post(`${url}/api/orders/${id}/hold`, {}, headers)
  await typeWords(`${sku}-1`)
  await expect(orderOptions).toContainText([`${sku}-1`, `Resume ${sku}-1`])
  await expect(orderOptions).toHaveCount(2)
  await page.getByRole('option', { name: `Resume ${sku}-1` }).click()
  await expect(page.getByText(`${sku}-1 is no longer on hold`).first()).toBeVisible()

  // Only the first hit lists all its actions. Each other order has only its most likely action.
  const second = await add(`${sku}-2`)
  await typeWords(customer_name)
  await expect(orderOptions).toContainText([
    `${sku}-2`,
    `Print what is missing for ${sku}-2`,
    `${sku}-1`,
    `Pick ${sku}-1`,
  ])

  const fill = (words: string) => page.getByPlaceholder('Search everything, or run a command').fill(words)
  await fill('sales report')
  await page.getByRole('option', { name: 'Sales report', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Sales report' })).toBeVisible()
  await typeWords('sku inbox')
  await page.getByRole('option', { name: 'SKU inbox', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'SKU inbox' })).toBeVisible()
  await typeWords('sync orders')
  await page.getByRole('option', { name: 'Sync orders', exact: true }).click()
  // The main site does not respond, and a message says so.
  const notifications = page.getByRole('region', { name: /^Notifications/ })
  // On a fast machine, earlier messages are still shown, so find the message by its text.
  await expect(notifications.getByRole('listitem').filter({ hasText: /main site|shop/i })).toBeVisible()
  await typeWords('new order')
  await page.getByRole('option', { name: 'New order', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'New order' })
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(page).not.toHaveURL(/add=/)

  // A viewer finds the order, but no command that changes something.
  const watching = await openAs(filledShop, 'viewer')
  await watching.goto(`${url}/?tab=inventory`)
  await expect(watching.getByRole('heading', { level: 1 }).first()).toBeAttached()
  await watching.keyboard.press('Control+k')
  const words = watching.getByPlaceholder('Search everything, or run a command')
  await words.fill(`${sku}-1`)
  await expect(watching.getByRole('group', { name: 'Orders' }).getByRole('option')).toHaveCount(1)
  await words.fill('order')
  await expect(watching.getByRole('option', { name: /^Show pending orders/ })).toBeVisible()
  await expect(watching.getByRole('option', { name: /^(New order|Sync orders|SKU inbox)$/ })).toHaveCount(0)

  for (const order of [id, second.id]) {
    const cancelled = await post<Order>(`${url}/api/orders/${order}/cancel`, {}, headers)
    for (const job of cancelled.proposed_cancellations ?? [])
      await post(`${url}/api/print-queue/${job}/cancel`, {}, headers)
  }
})
