import { test as base } from '@playwright/test'
import { serveGallery } from '../../scripts/web/gallery.ts'
import { findFaults, overhangOf } from '../support/accessibility.ts'
import { expect } from '../support/fixtures.ts'

const test = base.extend<object, { galleryUrl: string }>({
  galleryUrl: [
    // Playwright reads from the destructuring pattern which fixtures a function needs, so it requires even an empty
    // one.
    async ({}, use) => {
      const { url, close } = await serveGallery(0)
      await use(url)
      await close()
    },
    { scope: 'worker', timeout: 60_000 },
  ],
})

test('no component of the gallery has an accessibility fault in the light or the dark theme', async ({
  page,
  galleryUrl,
}) => {
  const problems: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text())
  })
  page.on('pageerror', (error) => problems.push(error.message))
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await page.goto(galleryUrl)
  await expect(page.getByRole('region', { name: 'DetailList' })).toBeVisible()
  await expect(page.getByText('Letter tray').first()).toBeVisible()
  expect(await findFaults(page)).toEqual([])
  expect(await overhangOf(page)).toBe(0)
  await page.getByRole('button', { name: 'Dark theme' }).click()
  await expect(page.getByRole('button', { name: 'Light theme' })).toBeVisible()
  expect(await findFaults(page, { only: 'colors' })).toEqual([])
  expect(problems).toEqual([])
})

test('no dialog, menu or message of the gallery has an accessibility fault', async ({ page, galleryUrl }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto(galleryUrl)
  for (const opener of ['Open an error', 'Add a location', 'Edit a location', 'Actions']) {
    await page.getByRole('button', { name: opener, exact: true }).click()
    await expect(page.getByRole('dialog').or(page.getByRole('menu'))).toBeVisible()
    expect(await findFaults(page), opener).toEqual([])
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog').or(page.getByRole('menu'))).toBeHidden()
  }
  await page.getByRole('checkbox', { name: 'Wall hook', exact: true }).check()
  await expect(page.getByRole('button', { name: 'Deselect' })).toBeVisible()
  expect(await findFaults(page)).toEqual([])
})
