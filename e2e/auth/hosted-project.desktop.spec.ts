import { expect, OWNER, test as base } from '../support/fixtures.ts'
import { startGuest } from '../support/guest-product.ts'
import type { Product } from '../support/harness.ts'
import { PHOTO } from '../support/photo.ts'

/** Starts a server that uses the accounts of another server, its hosted project. */
const test = base.extend<object, { guest: Product }>({
  guest: [
    async ({ product }, use) => {
      const guest = await startGuest(product)
      await use(guest)
      await guest.stop()
    },
    { scope: 'worker', timeout: 200_000 },
  ],
  baseURL: async ({ guest }, use) => {
    await use(guest.url)
  },
})

test('people sign in, upload media, come back and sign out with an account of the hosted project', async ({
  page,
  product,
}) => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.goto('/login')
  await page.getByLabel('Email').fill(OWNER.email)
  await page.getByLabel('Password', { exact: true }).fill(OWNER.password)
  await page.getByRole('button', { name: 'Sign In' }).click()
  const role = page.getByRole('banner').getByText('owner', { exact: true })
  await expect(role.filter({ visible: true }).first()).toBeVisible()
  expect(asked.some((url) => url.startsWith(`${product.url}/auth/v1/token`))).toBe(true)

  // The browser uploads product media to the project and shows them from there.
  const folder = `${product.url}/storage/v1/object/public/product-images/images/products`
  await page.goto('/admin/media')
  await page.getByLabel('Product slug').fill('hook')
  await page.getByLabel('Files', { exact: true }).setInputFiles({ ...PHOTO, name: 'a.jpg' })
  await page.getByRole('button', { name: 'Upload Files' }).click()
  await expect(page.getByRole('list', { name: 'Results' })).toContainText(`${folder}/hook.jpg`)
  const stored = page.getByRole('list', { name: 'Stored files of hook' })
  await expect(stored.getByRole('link', { name: 'hook.jpg' })).toHaveAttribute('href', `${folder}/hook.jpg`)
  expect(await stored.locator('img').evaluate((image: HTMLImageElement) => image.decode())).toBeUndefined()

  await page.goto('/')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByLabel('Password', { exact: true })).toBeVisible()
  expect(asked.some((url) => url.startsWith(`${product.url}/auth/v1/logout`))).toBe(true)
})
