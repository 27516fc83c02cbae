import { expect, type Page, type Route } from '@playwright/test'

/** Answers a request in place of the server. */
export type Answer = (route: Route) => Promise<void>

/** Responds like a proxy that has no backend or no route for the address. */
export const proxyPage =
  (status: number): Answer =>
  (route) =>
    route.fulfill({ status, contentType: 'text/html', body: '<html><h1>Bad Gateway</h1></html>' })

/** Responses without a message to show. */
export const WORDLESS: readonly { name: string; answer: Answer }[] = [
  { name: 'an empty 500', answer: (route) => route.fulfill({ status: 500, body: '' }) },
  { name: 'a 500 of empty JSON', answer: (route) => route.fulfill({ status: 500, json: {} }) },
  { name: "a proxy's 502", answer: proxyPage(502) },
  { name: "a proxy's 404", answer: proxyPage(404) },
]

export const noAnswer: Answer = (route) => route.abort()

export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/**
 * Returns the first element with this text, because a toast and its announcement to screen readers have the same text.
 */
export const findText = (page: Page, sentence: string) => page.getByText(sentence, { exact: true }).first()

/** Answers all requests to an address with `answer` while `work` runs. */
export async function whileAnswered(
  page: Page,
  address: string,
  answer: Answer,
  work: () => Promise<void>,
): Promise<void> {
  await page.route(address, answer)
  await work()
  await page.unroute(address)
}

/** Holds back the requests to an address until `letGo` is called. `count` is their number. */
export async function holdBack(where: Pick<Page, 'route'>, address: string) {
  let letGo = (): void => {}
  const mayGo = new Promise<void>((resolve) => {
    letGo = resolve
  })
  const held = { count: 0, letGo: () => letGo() }
  await where.route(address, async (route) => {
    held.count += 1
    await mayGo
    await route.continue()
  })
  return held
}

export async function expectBusy(page: Page, name: string): Promise<void> {
  await expect(button(page, name)).toBeDisabled()
  await expect(button(page, name)).toHaveAttribute('aria-busy', 'true')
  await expect(button(page, name).locator('svg, [class*=spin]').first()).toBeVisible()
}
