import { expect, type Page, type Route } from '@playwright/test'

/** Answers in place of the server. */
export type Answer = (route: Route) => Promise<void>

/** What a proxy says when it has nobody to ask, or does not know the address. */
export const proxyPage =
  (status: number): Answer =>
  (route) =>
    route.fulfill({ status, contentType: 'text/html', body: '<html><h1>Bad Gateway</h1></html>' })

/** The ways in which an answer says nothing to a person. */
export const WORDLESS: readonly { name: string; answer: Answer }[] = [
  { name: 'an empty 500', answer: (route) => route.fulfill({ status: 500, body: '' }) },
  { name: 'a 500 of empty JSON', answer: (route) => route.fulfill({ status: 500, json: {} }) },
  { name: "a proxy's 502", answer: proxyPage(502) },
  { name: "a proxy's 404", answer: proxyPage(404) },
]

export const noAnswer: Answer = (route) => route.abort()

export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** The toast and what a screen reader is told of it say the same. */
export const said = (page: Page, sentence: string) => page.getByText(sentence, { exact: true }).first()

/** Has the calls to an address answered so, for as long as the work takes. */
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

/** Holds the calls to an address back until it is told to let them go, and counts them. */
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
