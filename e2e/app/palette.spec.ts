import { expect } from '@playwright/test'
import { test } from '../support/staffed-shop.ts'

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
  await expect(page.getByText('2 spools', { exact: true })).toBeVisible()
  await open()
  await keyboard.type('hook-1')
  await expect(group('Inventory').getByRole('option').first()).toContainText('HOOK-1')
  // The search for the item also finds its running job.
  await expect(group('Print Queue').getByRole('option').first()).toContainText('in progress')
  await keyboard.press('Enter')
  await expect(page).toHaveURL(/tab=inventory&item=/)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Wall hook')

  await open()
  await expect(group('Recent').getByRole('option').first()).toContainText('Wall hook')
  await keyboard.type('keisuke')
  await expect(group('Orders').getByRole('option').first()).toContainText('PO-001')
  await group('Customers').getByRole('option', { name: 'Keisuke Yamanaka' }).click()
  // The page of a customer lists their orders, and an order leads back to it.
  await expect(page.getByRole('heading', { level: 1, name: 'Keisuke Yamanaka' })).toBeVisible()
  const orders = page.getByRole('region', { name: 'Orders of this customer' })
  await orders.getByRole('link', { name: 'PO-001' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'PO-001' })).toBeVisible()
  await page.getByRole('link', { name: 'Keisuke Yamanaka' }).first().click()
  await expect(orders).toBeVisible()

  // The palette finds the help of a tab by words that describe its tasks. The quick start is a PDF.
  await open()
  await keyboard.type('count a shelf')
  // Until the search has finished, results for the first letters may be listed above the help.
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
  await page.getByPlaceholder('Search everything, or run a command').fill('no such thing')
  await expect(page.getByText('Nothing matches “no such thing”.')).toBeVisible()
})

test('a sign-out clears the list of the last opened pages', async ({ filledShop, openAs }) => {
  const page = await openAs(filledShop, 'employee')
  // Other tests of this shop use the same session, so keep the sign-out from reaching the server.
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
