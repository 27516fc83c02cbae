import type { BrowserContext, Page } from '@playwright/test'

/** The factor by which the scripts of pages are slowed down. Without the variable, they run at full speed. */
const SLOWDOWN = Number(process.env['E2E_SLOWDOWN'] ?? 1)

/**
 * Slows down the scripts of every page by `E2E_SLOWDOWN`. A test that then fails depends on the speed of the machine.
 */
export async function slowDown(context: BrowserContext): Promise<void> {
  if (SLOWDOWN <= 1) return
  context.on('page', (page) => void slowPage(page))
  await Promise.all(context.pages().map(slowPage))
}

async function slowPage(page: Page): Promise<void> {
  try {
    const session = await page.context().newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN })
  } catch (error) {
    // A page that has already closed needs no slowdown.
    if (!page.isClosed()) throw error
  }
}
