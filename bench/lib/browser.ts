import { type Browser, type BrowserContext, type Page, chromium } from '@playwright/test'
import playwrightConfig from '../../playwright.config.ts'
import type { Scratch } from './scratch.ts'
import { ACCOUNT } from './server-process.ts'

/** The size of the browser window. It is tall, so that all elements that a measurement waits for are visible. */
const VIEWPORT = { width: 1440, height: 5000 }
const PATIENCE_MS = 60_000

/** The state that a browser stores between visits. */
export type KeptState = Awaited<ReturnType<BrowserContext['storageState']>>

/** Starts the Chromium of the browser tests. Returns null if none is installed. */
export async function openBrowser(scratch: Scratch): Promise<Browser | null> {
  try {
    const browser = await chromium.launch(playwrightConfig.use?.launchOptions)
    scratch.onEnd(() => browser.close())
    return browser
  } catch (error) {
    console.error(error instanceof Error ? error.message.split('\n', 1)[0] : error)
    return null
  }
}

/** Opens a browser context for a first visit. The cache is empty, and only the given state is stored. */
export const newVisitor = (browser: Browser, kept?: KeptState): Promise<BrowserContext> =>
  browser.newContext({ viewport: VIEWPORT, ...(kept && { storageState: kept }) })

export interface PageLoad {
  /** Time from the start of the navigation until the requested number of elements is painted. */
  shownMs: number
  /** Total transferred or cached size of all scripts, in units of 1,000 bytes. */
  scriptKb: number
}

/** Opens an address and waits until the page shows `count` elements that match `selector`. */
export async function load(page: Page, address: string, selector: string, count: number): Promise<PageLoad> {
  await page.addInitScript(watchFor, { selector, count })
  await page.goto(address, { waitUntil: 'commit' })
  const shown = await page.waitForFunction(
    () => Reflect.get(globalThis, 'benchShownMs') as number | undefined,
    null,
    {
      timeout: PATIENCE_MS,
    },
  )
  const shownMs = Number(await shown.jsonValue())
  return { shownMs, scriptKb: await page.evaluate(sumScripts) }
}

/** Signs in with the form. Returns the stored state, and the scripts of the sign-in page. */
export async function visitSignIn(
  browser: Browser,
  origin: string,
): Promise<{ signInKb: number; kept: KeptState }> {
  const context = await newVisitor(browser)
  const page = await context.newPage()
  // The server sends an inert preview of the form, which would lose typed text. Wait for the real form.
  const form = '#root:not([inert]) form button[type=submit]'
  const { scriptKb: signInKb } = await load(page, `${origin}/legacy-login`, form, 1)
  await page.getByLabel('Username').fill(ACCOUNT.username)
  await page.getByRole('textbox', { name: 'Password' }).fill(ACCOUNT.password)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await page.waitForURL((url) => !url.pathname.includes('login'))
  const kept = await context.storageState()
  await context.close()
  return { signInKb, kept }
}

/** Runs in the page. Records the time after the first frame with all elements. */
function watchFor({ selector, count }: { selector: string; count: number }): void {
  const observer = new MutationObserver(() => {
    if (document.querySelectorAll(selector).length < count) return
    observer.disconnect()
    requestAnimationFrame(() => setTimeout(() => Reflect.set(globalThis, 'benchShownMs', performance.now())))
  })
  observer.observe(document, { childList: true, subtree: true })
}

/** Runs in the page. Returns the total size of all scripts, in units of 1,000 bytes. */
function sumScripts(): number {
  const resources = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
  const scripts = resources.filter(({ name }) => new URL(name).pathname.endsWith('.js'))
  return scripts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0) / 1000
}
