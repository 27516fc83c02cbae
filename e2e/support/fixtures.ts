import { type BrowserContext, expect, test as base } from '@playwright/test'

export { expectAccessible } from './accessibility.ts'
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
  /** Whatever a page of the context complains about from now on fails the test. */
  watch: (context: BrowserContext) => Promise<void>
  /** Watches the test's own page, in every test. */
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
  watch: async ({ allowedProblem }, use) => {
    const problems: string[] = []
    await use((context) => watchForProblems(context, problems))
    const allowed = [...ALWAYS_ALLOWED, ...(allowedProblem ? [allowedProblem] : [])]
    const unexpected = problems.filter((problem) => !allowed.some((pattern) => pattern.test(problem)))
    expect.soft(unexpected, 'what the page complained about').toEqual([])
  },
  noProblems: [
    async ({ context, watch }, use) => {
      await watch(context)
      await use()
    },
    { auto: true },
  ],
})

async function watchForProblems(context: BrowserContext, problems: string[]): Promise<void> {
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
