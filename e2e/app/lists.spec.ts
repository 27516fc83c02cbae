import { expect } from '../support/fixtures.ts'
import { test } from '../support/staffed-shop.ts'

const isPhone = () => test.info().project.name === 'phone'

test('a person can search a list, edit a row and see all shortcuts with the keyboard, without losing the focus', async ({
  filledShop,
  openAs,
}) => {
  const page = await openAs(filledShop, 'staff')
  const { keyboard } = page
  // Search for one item, because other tests add newer items, and the list renders only rows in the window.
  await page.goto('/?tab=inventory&search=HOOK-1')
  const hook = page.getByRole('link', { name: /^Wall hook/ })
  await expect(hook).toBeVisible()
  await keyboard.press('/')
  await expect(page.getByRole('searchbox').first()).toBeFocused()
  await hook.focus()
  await keyboard.press('?')
  const keys = page.getByRole('dialog', { name: 'Help and keyboard shortcuts' })
  await expect(keys.getByText('Count a shelf')).toBeVisible()
  if (!isPhone()) await expect(keys.getByText('Edit the row')).toBeVisible()
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

test('on a page without a search field, the search key opens the palette', async ({ filledShop, openAs }) => {
  const page = await openAs(filledShop, 'viewer')
  await page.goto('/')
  await expect(page.getByRole('heading', { name: 'Recent Orders' })).toBeVisible()
  await page.keyboard.press('/')
  await expect(page.getByPlaceholder('Search everything, or run a command')).toBeFocused()
})
