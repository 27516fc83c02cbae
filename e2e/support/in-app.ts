import type { Page } from '@playwright/test'
import { expect } from './fixtures.ts'

/** A page of the app that shows little and keeps no state. */
const EMPTY_PAGE = '/admin/media'

/**
 * Opens an address without loading the app again, which takes a fraction of the time. Opens an empty page in between,
 * so that no dialog, selection or typed text of the last page stays.
 */
export async function visit(page: Page, address: string): Promise<void> {
  const isEmptyPage = (url: string) => new URL(url, page.url()).pathname === EMPTY_PAGE
  const from = page.url()
  if (isEmptyPage(from) && isEmptyPage(address)) return void (await page.goto(address))
  if (!isEmptyPage(from) && !isEmptyPage(address)) await goForward(page, EMPTY_PAGE)
  await goForward(page, address)
}

/** Opens an address as the browser's Forward button does, and waits until the earlier page is gone. */
async function goForward(page: Page, address: string): Promise<void> {
  await expect(page.locator('main')).toBeVisible()
  await page.evaluate((to) => {
    for (const main of document.querySelectorAll('main')) main.dataset.left = ''
    const { idx = 0 } = (history.state ?? {}) as { idx?: number }
    history.pushState({ usr: null, key: String(idx + 1), idx: idx + 1 }, '', to)
    // The app's router reads the address after this event.
    dispatchEvent(new PopStateEvent('popstate', { state: history.state }))
  }, address)
  await expect(page.locator('main[data-left]')).toHaveCount(0)
}
