import { type Browser, type BrowserContext, type Page, chromium } from '@playwright/test'
import playwrightConfig from '../../playwright.config.ts'
import type { Scratch } from './scratch.ts'
import { ACCOUNT } from './server-process.ts'

/** Tall enough that nothing of what is waited for is left out because it cannot be seen. */
const VIEWPORT = { width: 1440, height: 5000 }
const PATIENCE_MS = 60_000

/** What a browser keeps of an earlier visit. */
export type KeptState = Awaited<ReturnType<BrowserContext['storageState']>>

/** The Chromium of the end-to-end tests; null where there is none. */
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

/** A browser's first visit: nothing in its cache, and nothing kept but what is given. */
export const newVisitor = (browser: Browser, kept?: KeptState): Promise<BrowserContext> =>
  browser.newContext({ viewport: VIEWPORT, ...(kept && { storageState: kept }) })

export interface PageLoad {
  /** From the beginning of the navigation until as many elements as asked for have been painted. */
  shownMs: number
  /** All scripts, as they travelled or as they lay in the cache. */
  scriptKb: number
}

/** Opens an address and waits until it shows `count` elements of that kind. */
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

/** Signs in by the form, as a person does; answers what the browser keeps of it, and the scripts of that page. */
export async function visitSignIn(
  browser: Browser,
  origin: string,
): Promise<{ signInKb: number; kept: KeptState }> {
  const context = await newVisitor(browser)
  const page = await context.newPage()
  const { scriptKb: signInKb } = await load(page, `${origin}/legacy-login`, 'form button[type=submit]', 1)
  await page.getByLabel('Username').fill(ACCOUNT.username)
  await page.getByRole('textbox', { name: 'Password' }).fill(ACCOUNT.password)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await page.waitForURL((url) => !url.pathname.includes('login'))
  const kept = await context.storageState()
  await context.close()
  return { signInKb, kept }
}

/** Runs in the page: notes the moment after the frame in which they were all there. */
function watchFor({ selector, count }: { selector: string; count: number }): void {
  const observer = new MutationObserver(() => {
    if (document.querySelectorAll(selector).length < count) return
    observer.disconnect()
    requestAnimationFrame(() => setTimeout(() => Reflect.set(globalThis, 'benchShownMs', performance.now())))
  })
  observer.observe(document, { childList: true, subtree: true })
}

/** Runs in the page. In units of 1,000 bytes. */
function sumScripts(): number {
  const resources = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
  const scripts = resources.filter(({ name }) => new URL(name).pathname.endsWith('.js'))
  return scripts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0) / 1000
}
