import AxeBuilder from '@axe-core/playwright'
import { type BrowserContext, expect, type Page, test as base } from '@playwright/test'

export { expect }
export { OWNER } from './harness.ts'

interface Options {
  /**
   * What a test provokes on purpose, such as the 401 of a wrong password, which Chromium logs as an error.
   * One pattern and no list, since Playwright takes a list of two for a value with its options.
   */
  allowedProblem: RegExp | null
}

interface Watch {
  /** Runs for every test: whatever the page complains about fails it. */
  noProblems: void
}

const ALWAYS_ALLOWED = [
  // Remarks of the software renderer on its own speed, which only this browser's WebGL makes.
  /GL Driver Message/,
  // A page that leaves cancels what it was loading.
  /net::ERR_ABORTED/,
]

export const test = base.extend<Options & Watch>({
  allowedProblem: [null, { option: true }],
  // Playwright reads the names of the fixtures a function needs from its pattern, which has to be there.
  baseURL: async ({}, use) => {
    await use(process.env.PEGASUS_E2E_URL)
  },
  noProblems: [
    async ({ context, allowedProblem }, use) => {
      const problems = await watchForProblems(context)
      await use()
      const allowed = [...ALWAYS_ALLOWED, ...(allowedProblem ? [allowedProblem] : [])]
      const unexpected = problems.filter((problem) => !allowed.some((pattern) => pattern.test(problem)))
      expect.soft(unexpected, 'what the page complained about').toEqual([])
    },
    { auto: true },
  ],
})

/** No fault that axe can find, by the four lists of WCAG 2.2 AA. */
export async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'])
    .analyze()
  const faults = violations.map(({ id, help, nodes }) => ({ id, help, at: nodes.map(({ html }) => html) }))
  expect(faults, 'faults of accessibility').toEqual([])
}

async function watchForProblems(context: BrowserContext): Promise<string[]> {
  const problems: string[] = []
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
  return problems
}
