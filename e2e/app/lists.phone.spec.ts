import { expect } from '../support/fixtures.ts'
import { test } from '../support/staffed-shop.ts'

/** The lists, each with a locator for its first row or card. */
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

test('on a phone, each list shows its first row near the top', async ({ filledShop, openAs }) => {
  const page = await openAs(filledShop, 'owner')
  for (const [address, role] of LISTS) {
    await page.goto(address)
    const first = page.getByRole('main').getByRole(role).first()
    await expect(first, address).toBeVisible()
    await expect.poll(async () => (await first.boundingBox())?.y, address).toBeLessThanOrEqual(180)
  }
  // On a phone, the figures of the keys are below the keys, although they come first in the document.
  await page.goto('/?tab=api-keys')
  const key = page.getByRole('list', { name: 'API keys' }).getByRole('listitem').first()
  await expect(key).toBeVisible()
  expect((await key.boundingBox())?.y).toBeLessThanOrEqual(180)
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
