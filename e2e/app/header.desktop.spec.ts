import { overhangOf } from '../support/accessibility.ts'
import { untilLoaded } from '../support/controls.ts'
import { expect } from '../support/fixtures.ts'
import { test } from '../support/staffed-shop.ts'

test('from 640 pixels, the header shows the full name and the role, and fits into the window', async ({
  filledShop,
  openAs,
}) => {
  const page = await openAs(filledShop, 'staff')
  const header = page.getByRole('banner')
  for (const width of [640, 767, 768, 1024]) {
    await page.setViewportSize({ width, height: 844 })
    await page.goto('/?tab=orders')
    await untilLoaded(page)
    await expect(header.getByText('staff', { exact: true }).filter({ visible: true }).first()).toBeVisible()
    await expect(header.locator('bdi').filter({ visible: true }).first()).toBeVisible()
    expect(await overhangOf(page), `at ${width} pixels`).toBe(0)
  }
})
