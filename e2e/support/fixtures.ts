import { type BrowserContext, expect, type Page, test as base } from '@playwright/test'
import { type Product, startProduct } from './harness.ts'
import { slowDown } from './slow-browser.ts'

export { expectAccessible } from './accessibility.ts'
export { expect }
export { OWNER } from './harness.ts'

interface Options {
  /**
   * Matches the problems that a test provokes on purpose. For example, Chromium logs the 401 for a wrong password as an
   * error. It is one pattern, because Playwright would read a list of two elements as a value with its options.
   */
  allowedProblem: RegExp | null
}

interface Watch {
  /** Makes the test fail for every problem that a page of the context reports from now on. */
  watch: (context: BrowserContext) => Promise<void>
}

const ALWAYS_ALLOWED = [
  /Service Worker registration blocked by Playwright/,
  // The software renderer of this browser logs these messages about its speed.
  /GL Driver Message/,
  // On a slow machine, a script can start later than Chromium expects.
  /was preloaded using link preload but not used within a few seconds/,
  // When a page is left, its requests are cancelled.
  /net::ERR_ABORTED/,
]

interface PerWorker {
  /** The server at `baseURL`. Every worker starts its own server, so that tests of two workers never share data. */
  product: Product
}

export const test = base.extend<Options & Watch, PerWorker>({
  product: [
    // Playwright reads from the destructuring pattern which fixtures a function needs, so it requires even an empty
    // one.
    async ({}, use) => {
      const product = await startProduct()
      await use(product)
      await product.stop()
    },
    { scope: 'worker', timeout: 200_000 },
  ],
  allowedProblem: [null, { option: true }],
  baseURL: async ({ product }, use) => {
    await use(product.url)
  },
  watch: async ({ allowedProblem }, use) => {
    const problems: string[] = []
    await use((context) => watchForProblems(context, problems))
    expectNoProblems(problems, allowedProblem)
  },
  // Tests that open other browsers need neither this context nor its server.
  context: async ({ context, watch }, use) => {
    await watch(context)
    await use(context)
  },
})

/** Fails the test if any of the problems is not allowed. */
export function expectNoProblems(problems: readonly string[], allowedProblem: RegExp | null): void {
  const allowed = [...ALWAYS_ALLOWED, ...(allowedProblem ? [allowedProblem] : [])]
  const unexpected = problems.filter((problem) => !allowed.some((pattern) => pattern.test(problem)))
  expect.soft(unexpected, 'what the page complained about').toEqual([])
}

/**
 * Makes `goto`, `reload` and `goBack` wait until the app responds to clicks and keys. Before that, the page can show
 * the last view or an early sign-in screen (`public/first-view.js`), whose elements the app then replaces. A test that
 * passes `waitUntil` does not wait for the app.
 */
function waitForTheApp(page: Page): void {
  const lastView = page.locator('#root[inert]')
  const [goto, reload, goBack] = [page.goto.bind(page), page.reload.bind(page), page.goBack.bind(page)]
  page.goto = async (url, options) => {
    const answer = await goto(url, options)
    if (!options?.waitUntil) await expect(lastView).toHaveCount(0)
    return answer
  }
  page.reload = async (options) => {
    const answer = await reload(options)
    if (!options?.waitUntil) await expect(lastView).toHaveCount(0)
    return answer
  }
  page.goBack = async (options) => {
    const answer = await goBack(options)
    if (!options?.waitUntil) await expect(lastView).toHaveCount(0)
    return answer
  }
}

/** Adds a text to `problems` for every problem that a page of the context reports from now on. */
export async function watchForProblems(context: BrowserContext, problems: string[]): Promise<void> {
  await slowDown(context)
  for (const page of context.pages()) waitForTheApp(page)
  context.on('page', waitForTheApp)
  context.on('console', (message) => {
    if (!['error', 'warning'].includes(message.type())) return
    problems.push(`console ${message.type()}: ${message.text()} (${message.location().url})`)
  })
  context.on('weberror', (webError) =>
    problems.push(`uncaught: ${webError.error().stack ?? webError.error().message}`),
  )
  context.on('requestfailed', (request) => {
    problems.push(
      `request failed: ${request.method()} ${request.url()} ${request.failure()?.errorText ?? ''}`,
    )
  })
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      console.error(`securitypolicyviolation: ${event.effectiveDirective} blocked ${event.blockedURI}`)
    })
  })
}
