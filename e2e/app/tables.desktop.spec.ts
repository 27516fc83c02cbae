import { readFile } from 'node:fs/promises'
import type { Locator } from '@playwright/test'
import { overhangOf } from '../support/accessibility.ts'
import { expect } from '../support/fixtures.ts'
import { test } from '../support/staffed-shop.ts'

test('a person can sort a table, hide columns and save the table as a file, and the header stays visible', async ({
  filledShop,
  openAs,
}) => {
  const page = await openAs(filledShop, 'staff')
  // Search for the known orders, because other tests add more.
  await page.goto('/?tab=orders&search=PO-00')
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

  await page.getByRole('button', { name: 'Table view' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Placed' }).click()
  await expect(table.getByRole('columnheader', { name: 'Placed' })).toBeHidden()
  const download = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Export these rows' }).click()
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

/** Returns the number of pixels by which cells extend beyond the right edge of their table, where they are clipped. */
const clippedOf = (table: Locator): Promise<number> =>
  table.evaluate((element) => {
    const { right } = element.getBoundingClientRect()
    const cells = [...element.querySelectorAll('[role=columnheader], [role=cell]')]
    return Math.round(Math.max(0, ...cells.map((cell) => cell.getBoundingClientRect().right - right)))
  })

test('in a narrow window, tables hide columns until the names fit, so no page scrolls sideways', async ({
  filledShop,
  openAs,
}) => {
  const page = await openAs(filledShop, 'owner')
  for (const [address, label, name] of [
    ['/?tab=inventory&layout=list', 'Inventory items', 'Item'],
    ['/?tab=orders', 'Orders', 'Order'],
    ['/?tab=products', 'Products', 'Product'],
    ['/?tab=people', 'People', 'Person'],
    ['/?tab=print-queue', 'Waiting print jobs', 'Job'],
  ] as const) {
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(address)
    const table = page.getByRole('table', { name: label })
    await expect(table.getByRole('cell').first(), address).toBeVisible()
    const columns = table.getByRole('columnheader')
    const all = await columns.count()
    const head = table.getByRole('columnheader', { name, exact: true })
    for (const width of [1024, 900, 640]) {
      const where = `${address} at ${width}`
      await page.setViewportSize({ width, height: 900 })
      await expect.poll(() => clippedOf(table), where).toBe(0)
      expect(await overhangOf(page), where).toBe(0)
      expect((await head.boundingBox())?.width, where).toBeGreaterThanOrEqual(140)
    }
    expect(await columns.count(), address).toBeLessThan(all)
  }
})
