import type { Draft } from '@pegasus/contracts/products/drafts'
import type { Product } from '@pegasus/contracts/products/products'
import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { button } from '../support/faults.ts'
import { expect } from '../support/fixtures.ts'
import { bearer, get } from '../support/accounts.ts'
import { PHOTO } from '../support/photo.ts'
import { ADMIN_KEY, test } from '../support/selling-shop.ts'

// The test breaks a connection, and the browser logs that.
test.use({
  allowedProblem:
    /ERR_INTERNET_DISCONNECTED|ERR_FAILED|ERR_CONNECTION|status of 409|status of 412|favicon|status of 50\d|WebSocket/,
})

const PUBLISH = '**/api/admin/products'
const next = (page: Page) => button(page, 'Next').click()
const savedNote = (page: Page) => page.getByText(/^Draft saved \d/)

test('a person can publish a model as a product without typing anything twice, despite a reload and two lost connections', async ({
  sellingShop,
  openAs,
}) => {
  test.setTimeout(120_000)
  const { product, staff, siteUrl } = sellingShop
  const headers = bearer(staff.staff)
  const page = await openAs(sellingShop, 'staff')
  await page.goto('/admin/products/new')

  // The model's data and pictures are filled in.
  await button(page, 'From a model').click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Follower base/ })
    .click()
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Follower base')
  await expect(page.getByLabel('Slug', { exact: true })).toHaveValue('follower-base')
  await expect(page.getByLabel('Tags')).toHaveValue('robot arm, so-101')
  await expect(page.getByLabel('Description')).toHaveValue(/^The base of the arm\.\n\nSize: .* mm\nWeight: /)
  // The wizard suggests a price from the estimated cost and shows how it is calculated.
  await expect(page.getByLabel('Price')).toHaveValue(/^\d+\.\d\d$/)
  await expect(page.getByText('Unit cost, estimated')).toBeVisible()
  await page.getByText('How the cost is estimated').click()
  await expect(page.getByRole('list', { name: 'What the cost is based on' })).toContainText(
    'One print of the model in PLA, one piece at a time.',
  )
  await page.getByLabel('Category').selectOption('accessories')
  await page.getByLabel('Price').fill('18.50')
  await page.getByLabel('Stock').fill('12')
  await expect(savedNote(page)).toBeVisible()

  await page.reload()
  await expect(page.getByLabel('Price')).toHaveValue('18.50')
  await expect(page.getByLabel('Category')).toHaveValue('accessories')
  await next(page)
  const media = page.getByRole('list', { name: 'Media of the product' })
  await expect(media.getByText('follower-base-poster.jpg')).toBeVisible()
  await expect(media.getByText('follower-base-1.jpg')).toBeVisible()
  await page.getByLabel('Images and videos').setInputFiles({ ...PHOTO, name: 'IMG 0001.jpg' })
  await expect(media.getByText('follower-base.jpg')).toBeVisible()
  const picture = media.getByRole('listitem').filter({ hasText: 'follower-base.jpg' }).locator('img')
  await expect
    .poll(() => picture.evaluate((img) => (img as HTMLImageElement).naturalWidth))
    .toBeGreaterThan(0)
  await next(page)

  // While a person types, the connection is lost. The browser stores the draft and sends it to the server later.
  await page.context().setOffline(true)
  await page.getByLabel('Designer', { exact: true }).fill('TheRobotStudio')
  await expect(page.getByText('Draft saved in this browser only')).toBeVisible()
  await page.context().setOffline(false)
  await expect(savedNote(page)).toBeVisible()
  const [draft] = await get<Draft[]>(`${product.url}/api/drafts`, headers)
  expect([draft?.content.designer, draft?.step]).toEqual(['TheRobotStudio', 3])
  await button(page, 'Add tier').click()
  await page.getByLabel('Quantity of tier 1').fill('10')
  await page.getByLabel('Price of tier 1').fill('16.90')
  await expect(page.getByLabel('Bulk tiers (JSON)')).toHaveValue('[{"quantity":10,"price":16.9}]')
  await next(page)

  const findings = page.getByRole('list', { name: 'Findings' })
  await expect(findings.getByText('License allows the sale')).toBeVisible()
  await expect(findings.getByText('Every required field is filled')).toBeVisible()
  await expectAccessible(page)

  // The shop stores the product, but the response is lost. The page sends the same request again, which adds no second
  // product.
  const keys: (string | undefined)[] = []
  await page.route(PUBLISH, async (route) => {
    keys.push(route.request().headers()['idempotency-key'])
    await route.fetch()
    await route.abort()
  })
  await button(page, 'Publish Product').click()
  await expect(page.getByRole('alert')).toHaveText(
    'Failed to create product: The server cannot be reached. Check the connection and try again.',
  )
  await page.unroute(PUBLISH)
  const [again] = await Promise.all([page.waitForRequest(PUBLISH), page.reload()])
  keys.push(again.headers()['idempotency-key'])
  await expect(page).toHaveURL(`${product.url}/`)
  await expect(page.getByText('“Follower base” is in the shop').first()).toBeVisible()
  expect(new Set(keys).size, 'one key for both tries').toBe(1)

  const products = await get<Product[]>(`${product.url}/api/products`, headers)
  expect(products.map(({ slug, status }) => [slug, status])).toContainEqual(['follower-base', 'published'])
  expect(await get<Draft[]>(`${product.url}/api/drafts`, headers)).toEqual([])
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('draft')))).toEqual(
    [],
  )

  // The shop shows the product once, with its pictures.
  const store = await page.context().newPage()
  await store.goto(siteUrl)
  await expect(store.getByRole('link', { name: /^Follower base/ })).toHaveCount(1)
  await store.getByRole('link', { name: /^Follower base/ }).click()
  await expect(store.getByText('$16.90 each')).toBeVisible()
  const shown = store.locator('main img').first()
  await expect.poll(() => shown.evaluate((img) => (img as HTMLImageElement).naturalWidth)).toBeGreaterThan(0)
  await store.close()

  // The product can be found in the catalog and on the page of the model.
  await page.goto('/?tab=products')
  await page.getByRole('link', { name: /^Follower base/ }).click()
  await expect(page.getByRole('link', { name: 'Open in the shop' })).toHaveAttribute('href', /follower-base$/)
  await expect(page.getByText('Published', { exact: true }).first()).toBeVisible()
  // The most important fields are visible without scrolling.
  await expect(page.getByText('$18.50', { exact: true })).toBeInViewport()
  await expect(page.getByText('12 pieces', { exact: true })).toBeInViewport()
  await page.getByRole('link', { name: /Follower base.*Model · CC BY/ }).click()
  await page.getByRole('link', { name: 'Follower base', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Follower base', level: 1 })).toBeVisible()
  await expect(page).toHaveURL(/tab=products&product=/)
})

test('publishing again after a lost response creates no second product, even without the draft or with another slug', async ({
  sellingShop,
  openAs,
}) => {
  test.setTimeout(90_000)
  const { product, staff, siteUrl } = sellingShop
  const page = await openAs(sellingShop, 'staff')
  await page.route('**/api/drafts', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.fallback(),
  )
  await page.goto('/wizard')
  await page.getByLabel('Name', { exact: true }).fill('Key rack')
  await page.getByLabel('Category').selectOption('accessories')
  await page.getByLabel('Price').fill('9')
  await page.getByLabel('Stock').fill('4')
  await page.getByLabel('Description').fill('Holds keys.')
  for (let at = 1; at < 4; at += 1) await next(page)
  await page.route(PUBLISH, async (route) => {
    await route.fetch()
    await route.abort()
  })
  const publish = button(page, 'Publish Product')
  const alert = page.getByRole('alert').filter({ hasText: 'Failed to create product' })
  await publish.click()
  await expect(alert).toContainText('The server cannot be reached.')
  await page.unroute(PUBLISH)

  // The shop already has this product as key-rack. Publishing it under another slug is refused, even after a reload.
  await button(page, 'Edit Basics').click()
  await page.getByLabel('Slug', { exact: true }).fill('rack-for-keys')
  await page.getByLabel('Price').fill('9.50')
  for (let at = 1; at < 4; at += 1) await next(page)
  const inShop = 'Failed to create product: This product is already in the shop, as “key-rack”.'
  await publish.click()
  await expect(alert).toHaveText(inShop)
  await expect(page.getByText('Draft saved in this browser only')).toBeVisible()
  await page.reload()
  await publish.click()
  await expect(alert).toHaveText(inShop)
  await expect(page.getByRole('link', { name: 'Open the product' })).toHaveAttribute('href', /product=/)
  await expect(button(page, 'Make this a second product')).toBeVisible()
  await expectAccessible(page)

  // Under the first slug, the changed price is published.
  await button(page, 'Edit Basics').click()
  await page.getByLabel('Slug', { exact: true }).fill('key-rack')
  for (let at = 1; at < 4; at += 1) await next(page)
  await publish.click()
  await expect(page.getByText('“Key rack” is in the shop').first()).toBeVisible()
  const made = await get<Product[]>(`${product.url}/api/products?search=rack`, bearer(staff.staff))
  expect(made.map(({ slug, price, status }) => [slug, price, status])).toEqual([
    ['key-rack', 9.5, 'published'],
  ])
  const storefront = await (await fetch(siteUrl)).text()
  expect([storefront.includes('/products/key-rack'), storefront.includes('rack-for-keys')]).toEqual([
    true,
    false,
  ])
})

test('two people can edit a published product at the same time, publish it again, delete it and restore it', async ({
  sellingShop,
  openAs,
}) => {
  test.setTimeout(90_000)
  const { product, staff, siteUrl } = sellingShop
  const body = {
    name: 'Coat hook',
    slug: 'coat-hook',
    category: 'other',
    price: 5,
    stock: 3,
    description: 'Holds.',
  }
  const made = await fetch(`${product.url}/api/products`, {
    method: 'POST',
    headers: { ...bearer(staff.staff), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const { id } = (await made.json()) as Product
  const page = await openAs(sellingShop, 'staff')
  await page.goto(`/?tab=products&product=${id}`)
  await button(page, 'Publish').click()
  await expect(page.getByText('Published', { exact: true }).first()).toBeVisible()

  // Edit the product. The shop keeps its values until the changes are published.
  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await expect(page.getByLabel('Slug', { exact: true })).not.toBeEditable()
  await page.getByLabel('Price', { exact: true }).fill('-1')
  await button(page, 'Save').click()
  await expect(page.getByText('Price must be a positive number').first()).toBeVisible()
  await page.getByLabel('Price', { exact: true }).fill('6.25')
  // Meanwhile, another person changes another field.
  const other = await fetch(`${product.url}/api/products/${id}`, {
    method: 'PUT',
    headers: { ...bearer(staff.admin), 'content-type': 'application/json', 'if-match': '*' },
    body: JSON.stringify({ stock: 9 }),
  })
  expect(other.status).toBe(200)
  await button(page, 'Save').click()
  await expect(page.getByText('Somebody else has changed this in the meantime.')).toBeVisible()
  await expect(page.getByLabel('Stock', { exact: true })).toHaveValue('9')
  await expect(page.getByLabel('Price', { exact: true })).toHaveValue('6.25')
  await button(page, 'Save again').click()
  await expect(page.getByText('The shop has an older version of this product.')).toBeInViewport()
  await expect(button(page, 'Publish changes')).toBeInViewport()
  await button(page, 'Check now').click()
  const unpublished = page.getByRole('region', { name: 'Not published yet' })
  await expect(unpublished).toContainText('Here $6.25, in the shop $5.00')
  await button(page, 'Publish changes').click()
  await expect(page.getByText('The shop has an older version of this product.')).toHaveCount(0)
  await expect(unpublished).toHaveCount(0)
  expect(await (await fetch(`${siteUrl}/products/coat-hook`)).text()).toContain('$6.25')

  // Somebody changes the product in the shop. The page shows the differences, and each can be accepted or overwritten.
  const changeThere = (fields: object) =>
    fetch(`${siteUrl}/api/admin/products`, {
      method: 'POST',
      headers: { 'x-admin-key': ADMIN_KEY, 'content-type': 'application/json' },
      body: JSON.stringify({ ...body, stock: 9, ...fields }),
    })
  await changeThere({ price: 4.5, stock: 2 })
  await button(page, 'Check now').click()
  await expect(page.getByText('Here $6.25, on the site $4.50')).toBeVisible()
  await expect(page.getByText('Here 9, on the site 2')).toBeVisible()
  await button(page, 'Accept theirs: Price').click()
  await expect(page.getByText('Here $6.25, on the site $4.50')).toHaveCount(0)
  await page.goto('/?tab=products&status=differs')
  await page.getByRole('link', { name: /^Coat hook/ }).click()
  await button(page, 'Publish ours').click()
  await expect(page.getByText('The shop has the published values.')).toBeVisible()
  const pushed = await (await fetch(`${siteUrl}/products/coat-hook`)).text()
  expect([pushed.includes('$4.50'), pushed.includes('9 in stock')]).toEqual([true, true])
  await page.goto(`/?tab=products&product=${id}`)

  // Move the product to the trash and back.
  await page.getByRole('button', { name: /^More for Coat hook/ }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(page).toHaveURL(/\?tab=products$/)
  await button(page, 'Undo').click()
  await expect(page.getByRole('link', { name: /^Coat hook/ })).toBeVisible()
})
