import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import type { Order } from '@pegasus/contracts/orders/orders'
import { bearer, get, post } from '../support/accounts.ts'
import { expect } from '../support/fixtures.ts'
import { test } from '../support/staffed-shop.ts'

/**
 * For each language: the label of the country field, the country that the page shows, what the test types, and the name
 * and code that result. Then two texts of the page: the plan and the source of the order.
 */
const LANGUAGES = {
  de: {
    country: { label: 'Land', shown: 'Deutschland', typed: 'Austria', name: 'Österreich', code: 'AT' },
    texts: ['1 bestellt = 1 → 1 Platte', 'Von Hand eingegeben'],
  },
  he: {
    country: { label: 'מדינה', shown: 'אוסטריה', typed: 'Germany', name: 'גרמניה', code: 'DE' },
    texts: ['1 הוזמנו = 1 ← פלטה אחת', 'הוזנה ידנית'],
  },
}

test('an order entered by hand needs a line and a known country, and its page works in each language', async ({
  filledShop,
  openAs,
}) => {
  const { url } = filledShop.product
  const headers = bearer(filledShop.staff.owner)
  const name = `Compass ${test.info().project.name}`
  await post<InventoryItem>(`${url}/api/inventory`, { name, quantity: 0 }, headers)
  const page = await openAs(filledShop, 'employee')
  await page.goto(`${url}/?tab=orders`)

  await page.getByRole('button', { name: 'New order' }).click()
  const dialog = page.getByRole('dialog', { name: 'New order' })
  const country = dialog.getByLabel('Country')
  const add = dialog.getByRole('button', { name: 'Add order' })
  // A missing item is created in another tab, so that the typed order is not lost.
  const opened = page.waitForEvent('popup')
  await dialog.getByRole('link', { name: 'Create it in a new tab' }).click()
  await expect((await opened).getByRole('dialog', { name: 'Add/Edit Inventory Item' })).toBeVisible()
  await (await opened).close()
  await add.click()
  await expect(dialog.getByText('Add at least one item.', { exact: true })).toBeVisible()
  await dialog.getByRole('combobox', { name: 'Items' }).fill(name)
  await expect(dialog.getByRole('option', { name: new RegExp(name) })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(dialog.getByLabel(`Quantity of ${name}`)).toBeVisible()
  await dialog.getByLabel('Email').fill('not-an-email')
  await add.click()
  await expect(dialog.getByText(/^Enter an email address such as/)).toBeVisible()
  await dialog.getByLabel('Email').fill('ada@example.com')
  await country.fill('Atlantis')
  await add.click()
  await expect(dialog.getByText(/^No country has this name\./)).toBeVisible()
  await country.fill('de')
  await country.blur()
  await expect(country).toHaveValue('Germany')
  await add.click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('main').getByText('Germany', { exact: true })).toBeVisible()

  const id = new URL(page.url()).searchParams.get('order') ?? ''
  const readCode = async () =>
    (await get<Order>(`${url}/api/orders/${id}`, headers)).shipping_address?.country
  expect(await readCode()).toBe('DE')
  // An account without a language gets the next one that it uses. Set English now, because other tests expect it.
  await fetch(`${url}/auth/v1/user`, {
    method: 'PUT',
    headers: { ...bearer(filledShop.staff.employee), 'content-type': 'application/json' },
    body: JSON.stringify({ data: { language: 'en' } }),
  })
  for (const [language, { country: expected, texts }] of Object.entries(LANGUAGES)) {
    await page.evaluate((chosen) => localStorage.setItem('pegasus-ops-language', chosen), language)
    await page.reload()
    await expect(page.getByRole('main').getByText(expected.shown, { exact: true })).toBeVisible()
    for (const text of texts)
      await expect(page.getByRole('main').getByText(text, { exact: true })).toBeVisible()
    await page.keyboard.press('e')
    const field = page.getByRole('dialog').getByLabel(expected.label, { exact: true })
    await expect(field).toHaveValue(expected.shown)
    await field.fill(expected.typed)
    await field.press('Enter')
    await expect(page.getByRole('dialog')).toBeHidden()
    await expect(page.getByRole('main').getByText(expected.name, { exact: true })).toBeVisible()
    expect(await readCode()).toBe(expected.code)
  }
})
