import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { inProject } from '../../scripts/boot/project.mjs'
import { expect } from '../support/fixtures.ts'
import { openBrowserOf, test as base } from '../support/staffed-shop.ts'
import { type Demo, startDemo } from './demo.ts'
import { DEMO_SCREENS } from './demo-screens.ts'

const test = base.extend<object, { demo: Demo }>({
  demo: [
    async ({}, use) => {
      const demo = await startDemo()
      await use(demo)
      await demo.stop()
    },
    // The first start fills the shop and draws all pictures.
    { scope: 'worker', timeout: 20 * 60_000 },
  ],
})

const THEMES = ['light', 'dark'] as const

/** The folder of the screenshots, with a folder for each variant. */
const PICTURES = inProject('.cache', 'screens', 'pictures')

/** Waits until nothing is loading, then takes a screenshot of the window in each theme. */
async function takePictures(page: Page, name: string): Promise<void> {
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
  // The network is never idle, because the event stream stays open. Wait for the pictures in the window instead. Lazy
  // pictures outside the window or a scroll area never load.
  const isDrawn = () =>
    [...document.images].every((image) => {
      const { left, top, width, height } = image.getBoundingClientRect()
      const isSeen = document.elementsFromPoint(left + width / 2, top + height / 2).includes(image)
      return image.complete || !isSeen
    })
  await expect.poll(() => page.evaluate(isDrawn)).toBe(true)
  const file = `${name.replaceAll(/[^a-z0-9]+/gi, '-').toLowerCase()}.png`
  for (const theme of THEMES) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
    await page.screenshot({ path: join(PICTURES, `${test.info().project.name}-${theme}`, file) })
  }
}

for (const { name, address, open, only } of DEMO_SCREENS)
  test(name, async ({ demo, browser }, { project }) => {
    if (only && only !== project.name) return
    const page = await openBrowserOf(browser, demo.url, demo.owner, async () => undefined)
    await page.emulateMedia({ colorScheme: THEMES[0], reducedMotion: 'reduce' })
    await page.goto(typeof address === 'string' ? address : await address(demo))
    await expect(page.getByRole('heading').first()).toBeAttached()
    await open?.(page)
    await takePictures(page, name)
    await page.context().close()
  })
