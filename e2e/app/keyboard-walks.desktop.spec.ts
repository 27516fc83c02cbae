import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import type { Order } from '@pegasus/contracts/orders/orders'
import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import type { Product } from '@pegasus/contracts/products/products'
import type { Spool } from '@pegasus/contracts/filament/spools'
import type { Locator, Page } from '@playwright/test'
import { bearer, get, post } from '../support/accounts.ts'
import { expect } from '../support/fixtures.ts'
import { test } from '../support/selling-shop.ts'
import type { FilledShop } from '../support/staffed-shop.ts'

/** Maximum number of presses of Tab until a control must have the focus. */
const MAX_TABS = 60

/**
 * Returns the keyboard of a person without a mouse, which counts the pressed keys. It types as slowly as a person,
 * because the app treats faster keys followed by Enter as a scan.
 */
function keyboardOf(page: Page) {
  let keys = 0
  // No element has the focus on a page that has just loaded.
  let isJustLoaded = true
  page.on('load', () => {
    isJustLoaded = true
  })
  const press = async (key: string): Promise<void> => {
    keys += 1
    await page.keyboard.press(key, { delay: 60 })
  }
  const focused = () => page.evaluate(() => document.activeElement !== document.body)
  /**
   * Checks that an element has the focus after a dialog closed or a page opened. Otherwise, Tab would start at the top
   * again.
   */
  const expectFocus = () => expect.poll(focused, 'the focus is lost').toBe(true)
  const tabTo = async (control: Locator): Promise<void> => {
    await expect(control).toBeVisible()
    if (!isJustLoaded) await expectFocus()
    isJustLoaded = false
    for (let tabs = 0; tabs < MAX_TABS; tabs++) {
      if (await control.evaluate((element) => element === document.activeElement)) return
      await press('Tab')
    }
    throw new Error('Tab does not reach the control')
  }
  return {
    press,
    /** Presses Tab until the control has the focus. */
    tabTo,
    async type(text: string): Promise<void> {
      keys += text.length
      await page.keyboard.type(text, { delay: 60 })
    },
    /** Opens a menu, and chooses an entry with the arrows. */
    async openMenu(trigger: Locator, name: string): Promise<void> {
      await tabTo(trigger)
      await press('Enter')
      const entry = page.getByRole('menuitem', { name, exact: true })
      await expect(entry).toBeVisible()
      for (let rows = 0; rows < MAX_TABS; rows++) {
        if (await entry.evaluate((element) => element === document.activeElement)) break
        await press('ArrowDown')
      }
      await press('Enter')
    },
    /** Searches in the palette, and opens the first hit of a group. The hit must contain `name`. */
    async open(words: string, group: string, name = words): Promise<void> {
      // The shortcut works once the app runs.
      await expect(page.getByRole('heading', { name: 'Print Queue Status' })).toBeVisible()
      await press('Control+k')
      await expect(page.getByPlaceholder('Search everything, or run a command')).toBeFocused()
      await page.keyboard.type(words, { delay: 60 })
      keys += words.length
      const hit = page.getByRole('group', { name: group }).getByRole('option').first()
      await expect(hit).toContainText(name)
      for (let rows = 0; rows < MAX_TABS; rows++) {
        if ((await hit.getAttribute('aria-selected')) === 'true') break
        await press('ArrowDown')
      }
      await press('Enter')
    },
    /** Checks that an element still has the focus, and adds the number of pressed keys to the report of the test. */
    async end(walk: string): Promise<void> {
      await expectFocus()
      test.info().annotations.push({ type: 'keys', description: `${walk}: ${keys}` })
    },
  }
}

const headersOf = ({ staff }: FilledShop) => bearer(staff.owner)

const addItem = ({ product }: FilledShop, headers: Record<string, string>, sku: string, quantity: number) =>
  post<InventoryItem>(`${product.url}/api/inventory`, { name: sku, sku, quantity }, headers)

// The tests take long, because each key is pressed as slowly as by a person.
test.describe.configure({ timeout: 120_000 })

test('a person can count an item and undo it with the keyboard alone', async ({ filledShop, openAs }) => {
  const { id } = await addItem(filledShop, headersOf(filledShop), 'KB-COUNT', 4)
  const page = await openAs(filledShop, 'staff')
  const keyboard = keyboardOf(page)
  const quantity = async () =>
    (await get<InventoryItem>(`${filledShop.product.url}/api/inventory/${id}`, headersOf(filledShop)))
      .quantity
  await page.goto(`${filledShop.product.url}/?tab=dashboard`)
  await keyboard.open('KB-COUNT', 'Inventory')
  await keyboard.tabTo(page.getByRole('main').getByRole('button', { name: 'Count', exact: true }))
  await keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog.locator('input:focus')).toHaveCount(1)
  await keyboard.press('Control+a')
  await keyboard.type('9')
  await keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await expect.poll(quantity).toBe(9)
  await keyboard.press('F8')
  await keyboard.tabTo(
    page.getByRole('region', { name: /^Notifications/ }).getByRole('button', { name: 'Undo' }),
  )
  await keyboard.press('Enter')
  await expect.poll(quantity).toBe(4)
  await keyboard.end('count an item and undo')
})

test('a person can weigh a spool and print its label with the keyboard alone', async ({
  filledShop,
  openAs,
}) => {
  const { url } = filledShop.product
  const spool = await post<Spool>(
    `${url}/api/filament`,
    { material: 'PLA', brand: 'Keys', color: 'Kiwi', weight_grams: 1000, spool_weight_grams: 200 },
    headersOf(filledShop),
  )
  const page = await openAs(filledShop, 'staff')
  const keyboard = keyboardOf(page)
  await page.goto(`${url}/?tab=dashboard`)
  await keyboard.open('Kiwi', 'Filament')
  await keyboard.tabTo(page.getByRole('main').getByRole('button', { name: /^Weigh/ }))
  await keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Weigh spool' })
  await expect(dialog.getByLabel('On the scale')).toBeFocused()
  await keyboard.type('950')
  await keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  const remaining = async () =>
    (await get<Spool>(`${url}/api/filament/${spool.id}`, headersOf(filledShop))).remaining_grams
  await expect.poll(remaining).toBe(750)
  await keyboard.openMenu(page.getByRole('main').getByRole('button', { name: /^More for/ }), 'Print label')
  await expect(page.getByRole('dialog', { name: /label/i })).toBeVisible()
  await keyboard.end('weigh a spool and print its label')
})

test('a person can start and complete a job with the keyboard alone', async ({ filledShop, openAs }) => {
  const { url } = filledShop.product
  const { id } = await addItem(filledShop, headersOf(filledShop), 'KB-JOB', 0)
  const job = await post<PrintJob>(
    `${url}/api/print-queue`,
    { inventory_item_id: id, quantity: 2 },
    headersOf(filledShop),
  )
  const page = await openAs(filledShop, 'staff')
  const keyboard = keyboardOf(page)
  await page.goto(`${url}/?tab=dashboard`)
  await keyboard.open('KB-JOB', 'Print Queue')
  await keyboard.tabTo(page.getByRole('main').getByRole('button', { name: /^Start/ }))
  await keyboard.press('Enter')
  // Several printers of the shop could print the job. The best one is selected.
  const start = page.getByRole('dialog', { name: 'Start on a printer' })
  await expect(start.getByLabel('Printer')).toBeFocused()
  await keyboard.tabTo(start.getByRole('button', { name: 'Start' }))
  await keyboard.press('Enter')
  await expect(start).toBeHidden()
  await keyboard.tabTo(page.getByRole('main').getByRole('button', { name: /^Complete/ }))
  await keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog.locator(':focus')).toHaveCount(1)
  await keyboard.tabTo(dialog.getByRole('button', { name: /^Complete/ }))
  await keyboard.press('Enter')
  const good = async () =>
    (await get<PrintJob>(`${url}/api/print-queue/${job.id}`, headersOf(filledShop))).good_quantity
  await expect.poll(good).toBe(2)
  await keyboard.end('start and complete a job')
})

test('a person can find an order by its customer and print its missing pieces with the keyboard alone', async ({
  filledShop,
  openAs,
}) => {
  const { url } = filledShop.product
  const headers = headersOf(filledShop)
  await addItem(filledShop, headers, 'KB-ORDER', 1)
  const items = [{ sku: 'KB-ORDER', name: 'KB-ORDER', quantity: 3, unit_price: 1 }]
  const order = { order_number: 'KB-1', customer_name: 'Tabitha Keys', items }
  const { id } = await post<Order>(`${url}/api/orders`, order, headers)
  const page = await openAs(filledShop, 'staff')
  const keyboard = keyboardOf(page)
  await page.goto(`${url}/?tab=dashboard`)
  await keyboard.open('Tabitha', 'Orders', 'KB-1')
  await expect(page.getByRole('heading', { name: 'KB-1', level: 1 })).toBeVisible()
  await keyboard.tabTo(page.getByRole('link', { name: 'Print 2 of KB-ORDER', exact: true }))
  await keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Add Job' })
  await expect(dialog.getByLabel('Quantity')).toHaveValue('2')
  await expect(dialog.locator(':focus')).toHaveCount(1)
  await keyboard.tabTo(dialog.getByRole('button', { name: 'Add to queue' }))
  await keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  const line = async () => (await get<Order>(`${url}/api/orders/${id}`, headers)).items[0]
  await expect.poll(line).toMatchObject({ queued_quantity: 2, missing_quantity: 0 })
  await keyboard.end('find an order by its customer and print what it lacks')
})

test('a person can ship an order with the keyboard alone', async ({ filledShop, openAs }) => {
  const { url } = filledShop.product
  const headers = headersOf(filledShop)
  await addItem(filledShop, headers, 'KB-SHIP', 2)
  const items = [{ sku: 'KB-SHIP', name: 'KB-SHIP', quantity: 2, unit_price: 1 }]
  const order = { order_number: 'KB-2', customer_name: 'Sheila Keys', items }
  const { id } = await post<Order>(`${url}/api/orders`, order, headers)
  const page = await openAs(filledShop, 'staff')
  const keyboard = keyboardOf(page)
  await page.goto(`${url}/?tab=dashboard`)
  await keyboard.open('Sheila', 'Orders', 'KB-2')
  await expect(page.getByRole('heading', { name: 'KB-2', level: 1 })).toBeVisible()
  await keyboard.press('s')
  const dialog = page.getByRole('dialog', { name: 'Ship KB-2' })
  await expect(dialog.getByLabel('Pieces of KB-SHIP')).toBeFocused()
  await keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  const status = async () => (await get<Order>(`${url}/api/orders/${id}`, headers)).status
  await expect.poll(status).toBe('completed')
  await keyboard.end('ship an order')
})

test('a person can find a model despite a typo and make a product of it with the keyboard alone', async ({
  sellingShop,
  openAs,
}) => {
  const { product, staff } = sellingShop
  const page = await openAs(sellingShop, 'staff')
  const keyboard = keyboardOf(page)
  await page.goto(`${product.url}/?tab=dashboard`)
  await keyboard.open('Folower base', 'Models', 'Follower base')
  await expect(page.getByRole('heading', { name: 'Follower base', level: 1 })).toBeVisible()
  await keyboard.openMenu(page.getByRole('main').getByRole('button', { name: /^More/ }), 'Make a product')
  const name = page.getByLabel('Name', { exact: true })
  await expect(name).toHaveValue('Follower base')
  // Another test has used the name of the model for a product, so type another name.
  await keyboard.tabTo(name)
  await keyboard.press('Control+a')
  await keyboard.type('Keyboard base')
  await keyboard.tabTo(page.getByLabel('Category'))
  await keyboard.type('acc')
  await expect(page.getByLabel('Category')).toHaveValue('accessories')
  for (const [field, value] of [
    ['Price', '18.50'],
    ['Stock', '12'],
  ] as const) {
    await keyboard.tabTo(page.getByLabel(field))
    await keyboard.press('Control+a')
    await keyboard.type(value)
  }
  const next = page.getByRole('button', { name: 'Next', exact: true })
  for (const step of ['Media', 'Extras', 'Review']) {
    await keyboard.tabTo(next)
    await keyboard.press('Enter')
    await expect(page.getByRole('group', { name: step })).toBeVisible()
  }
  await keyboard.tabTo(page.getByRole('button', { name: 'Publish Product' }))
  await keyboard.press('Enter')
  await expect(page.getByText('“Keyboard base” is in the shop').first()).toBeVisible()
  const products = await get<Product[]>(`${product.url}/api/products`, bearer(staff.staff))
  expect(products.map(({ slug, status }) => [slug, status])).toContainEqual(['keyboard-base', 'published'])
  await keyboard.end('find a model with a typo and make a product of it')
})
