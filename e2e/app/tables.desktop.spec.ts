import { readFile } from 'node:fs/promises'
import { overhangOf } from '../support/accessibility.ts'
import { expect } from '../support/fixtures.ts'
import { test } from '../support/staffed-shop.ts'

test('a person can sort a table, hide its columns and save it as a file, while its header stays visible', async ({
  filledShop,
  openAs,
}) => {
  const page = await openAs(filledShop, 'staff')
  // Other tests add orders, so search for the known ones.
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

test('in a narrow window, tables hide columns until the names fit, so no page scrolls sideways', async ({
  filledShop,
  openAs,
}) => {
  const page = await openAs(filledShop, 'owner')
  for (const [address, name] of [
    ['/?tab=inventory', 'Item'],
    ['/?tab=orders', 'Order'],
    ['/?tab=products', 'Product'],
    ['/?tab=people', 'Person'],
    ['/?tab=print-queue', null],
  ] as const) {
    await page.goto(address)
    for (const width of [1024, 900, 640]) {
      await page.setViewportSize({ width, height: 900 })
      await expect.poll(() => overhangOf(page), `${address} at ${width}`).toBe(0)
      if (name === null) continue
      const head = page.getByRole('columnheader', { name, exact: true })
      await expect
        .poll(async () => (await head.boundingBox())?.width, `${address} at ${width}`)
        .toBeGreaterThanOrEqual(140)
    }
  }
})
