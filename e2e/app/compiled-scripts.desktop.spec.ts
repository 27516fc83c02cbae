import { expect, OWNER, signIn, test } from '../support/sign-in.ts'

interface TraceEvent {
  name: string
  args: { data?: { url?: string; consumedCacheSize?: number } }
}

test('the browser keeps the compiled scripts, so that a later visit does not compile them again', async ({
  page,
  browser,
}) => {
  test.slow()
  await signIn(page, OWNER)
  const findCompiled = async (): Promise<number> => {
    await browser.startTracing(page, { categories: ['v8', 'devtools.timeline'] })
    await page.goto('/?tab=dashboard')
    await expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible()
    const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
      traceEvents: TraceEvent[]
    }
    const start = traceEvents.filter(
      ({ name, args }) => name === 'v8.compileModule' && args.data?.url?.includes('/assets/start-'),
    )
    return start[0]?.args.data?.consumedCacheSize ?? 0
  }
  // A browser stores compiled scripts when it is idle, after it has used a script twice.
  await expect.poll(findCompiled).toBeGreaterThan(0)
})
