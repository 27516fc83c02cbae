import { readFile } from 'node:fs/promises'
import { expect } from '../support/fixtures.ts'
import { test } from '../support/staffed-shop.ts'

const isPhone = () => test.info().project.name === 'phone'

test('the keys of a list search it, show all keys, and edit the row; the focus returns', async ({
  filledShop,
  openAs,
}) => {
  const page = await openAs(filledShop, 'staff')
  const { keyboard } = page
  await page.goto('/?tab=inventory')
  const hook = page.getByRole('link', { name: /^Wall hook/ })
  await expect(hook).toBeVisible()
  await keyboard.press('/')
  await expect(page.getByRole('searchbox').first()).toBeFocused()
  await hook.focus()
  await keyboard.press('?')
  const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(keys.getByText('Edit the row')).toBeVisible()
  await keyboard.press('Escape')
  await expect(keys).toBeHidden()
  await expect(hook).toBeFocused()
  await keyboard.press('e')
  const editing = page.getByRole('dialog', { name: 'Add/Edit Inventory Item' })
  if (isPhone()) return expect(page).toHaveURL(/item=/)
  await expect(editing).toBeVisible()
  await keyboard.press('Escape')
  await expect(editing).toBeHidden()
  await expect(hook).toBeFocused()
})

test('a list without a search opens the palette with the same key', async ({ filledShop, openAs }) => {
  const page = await openAs(filledShop, 'viewer')
  await page.goto('/')
  await expect(page.getByRole('heading', { name: 'Recent Orders' })).toBeVisible()
  await page.keyboard.press('/')
  await expect(page.getByPlaceholder('Search everything, or run a command')).toBeFocused()
})

test('a table is sorted by its heads, keeps its head in sight, hides columns and saves what it shows', async ({
  filledShop,
  openAs,
}) => {
  if (isPhone()) return
  const page = await openAs(filledShop, 'staff')
  await page.goto('/?tab=orders')
  const table = page.getByRole('table', { name: 'Orders' })
  const numbers = () => table.getByRole('link', { name: /^PO-/ }).allTextContents()
  await expect(table).toBeVisible()
  await table.getByRole('button', { name: 'Total' }).click()
  await expect(page).toHaveURL(/by=-total/)
  await expect(table.getByRole('columnheader', { name: 'Total' })).toHaveAttribute('aria-sort', 'descending')
  await expect.poll(async () => (await numbers())[0]).toBe('PO-004')
  await page.reload()
  await expect.poll(async () => (await numbers())[0]).toBe('PO-004')
  await table.getByRole('button', { name: 'Total' }).click()
  await expect.poll(async () => (await numbers())[0]).toBe('PO-001')

  await page.getByRole('button', { name: 'View of the table' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Placed' }).click()
  await expect(table.getByRole('columnheader', { name: 'Placed' })).toBeHidden()
  const download = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Export what is shown' }).click()
  const file = await (await download).path()
  const [head, first] = (await readFile(file, 'utf8')).split('\r\n')
  expect(head).toBe('\uFEFF"Order","Customer","Status","Stock","Total"')
  expect(first).toMatch(/^"PO-001","Keisuke Yamanaka","Pending",.*,46\.35$/)

  await page.setViewportSize({ width: 1440, height: 360 })
  await page.mouse.wheel(0, 400)
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(100)
  const box = await table.getByRole('columnheader', { name: 'Customer' }).boundingBox()
  expect(box?.y).toBeGreaterThanOrEqual(93)
  expect(box?.y).toBeLessThan(120)
})

/** The lists, and what their first row or card is. */
const LISTS = [
  ['/?tab=stl-library', 'article'],
  ['/?tab=inventory', 'listitem'],
  ['/?tab=orders', 'listitem'],
  ['/?tab=print-queue', 'listitem'],
  ['/?tab=filament', 'article'],
  ['/?tab=products', 'listitem'],
  ['/?tab=people', 'listitem'],
  ['/?tab=audit', 'listitem'],
] as const

test('each list of a phone shows its first row near the top', async ({ filledShop, openAs }) => {
  if (!isPhone()) return
  const page = await openAs(filledShop, 'owner')
  for (const [address, role] of LISTS) {
    await page.goto(address)
    const first = page.getByRole('main').getByRole(role).first()
    await expect(first, address).toBeVisible()
    await expect.poll(async () => (await first.boundingBox())?.y, address).toBeLessThanOrEqual(180)
  }
  // The figures of the keys are below them on a phone, although they come first in the document.
  await page.goto('/?tab=api-keys')
  const key = page.getByRole('list', { name: 'API keys' }).getByRole('listitem').first()
  await expect(key).toBeVisible()
  expect((await key.boundingBox())?.y).toBeLessThanOrEqual(180)
})

test('the page of an entity has its next step at the thumb of a phone', async ({ filledShop, openAs }) => {
  if (!isPhone()) return
  const page = await openAs(filledShop, 'staff')
  await page.goto(`/?tab=stl-library&model=${filledShop.model.id}`)
  const actions = page.getByRole('group', { name: 'Actions' })
  await expect(actions.getByRole('link', { name: 'Print' })).toBeVisible()
  const box = await actions.boundingBox()
  expect(box?.y).toBeGreaterThan(600)
  await actions.getByRole('link', { name: 'Print' }).click()
  await expect(page.getByRole('dialog', { name: 'Add Job' })).toContainText(filledShop.model.title)
})
