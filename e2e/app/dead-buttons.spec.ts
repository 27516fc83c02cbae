import type { Page, Request } from '@playwright/test'
import { findControls, untilLoaded, watchForRefusals } from '../support/controls.ts'
import { expect } from '../support/fixtures.ts'
import { visit } from '../support/in-app.ts'
import { isClosed, PAGES } from '../support/pages.ts'
import { MAIN_SITE, test } from '../support/staffed-shop.ts'

// Some of the opened addresses lead to missing objects, and the browser logs each as an error.
test.use({ allowedProblem: /status of 404/ })

test('every button that viewers see has an effect', async ({ filledShop, openAs }) => {
  test.setTimeout(600_000)
  const page = await openAs(filledShop, 'viewer')
  const refused = watchForRefusals(page)
  // Some buttons open pages of the main site, which the test replaces.
  await page.context().route(`${MAIN_SITE}/**`, (route) => route.fulfill({ body: 'The shop' }))
  const addresses = [
    ...new Set(PAGES.filter((listed) => !isClosed(listed)).map(({ address }) => address)),
    `/?tab=stl-library&model=${filledShop.model.id}`,
    `/?tab=orders&order=${filledShop.orderId}`,
  ]
  await page.goto('/')
  await untilAtRest(page)
  let pressed = 0
  const dead: string[] = []
  for (const address of addresses)
    for (const name of await namesOfButtons(page, address)) {
      pressed += 1
      if (!(await doesSomething(page, address, name))) dead.push(`${name} at ${address}`)
    }
  console.info(`Dead buttons for viewers ${dead.length} of ${pressed}`)
  expect({ dead, refused }).toEqual({ dead: [], refused: [] })
  expect(pressed).toBeGreaterThan(10)
})

const BUTTON = /^button "(.*)"$/

/**
 * The name of the button that resets the view of a model. It has no effect here, because nobody has changed the view.
 */
const NOTHING_TO_FIT = 'Fit'

async function namesOfButtons(page: Page, address: string): Promise<string[]> {
  await visit(page, address)
  await untilAtRest(page)
  const controls = await findControls(page.getByRole('main'))
  const names = [...controls].map((control) => BUTTON.exec(control)?.[1])
  return names.filter((name) => name !== undefined).filter((name) => name !== NOTHING_TO_FIT)
}

/**
 * Returns a snapshot of everything that a click could change: the page, its URL, its history and its canvas.
 */
async function look(page: Page): Promise<string> {
  const seen = await page.evaluate(() => [
    location.href,
    JSON.stringify(history.state),
    document.body.innerHTML,
  ])
  const drawn = page.locator('canvas')
  // Hide the buttons above the canvas, because they look different under the pointer.
  const mask = [page.getByRole('button')]
  const picture = (await drawn.count()) > 0 ? (await drawn.screenshot({ mask })).toString('base64') : ''
  return [...seen, picture].join('\n')
}

/** Waits until everything has loaded and two snapshots in a row are equal. */
async function untilAtRest(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toBeAttached()
  await untilLoaded(page)
  let last = ''
  const isSame = async () => {
    const now = await look(page)
    const isAtRest = now === last
    last = now
    return isAtRest
  }
  await expect.poll(isSame, { intervals: [250] }).toBe(true)
}

/** Returns whether a click changes the page, opens another page, or sends a request. */
async function doesSomething(page: Page, address: string, name: string): Promise<boolean> {
  const isElsewhere = page.url() !== new URL(address, page.url()).href
  // The last click may have opened a dialog or a list, which has no URL and could cover the next button.
  const opened = page.getByRole('dialog').or(page.getByRole('main').locator('[aria-expanded=true]'))
  if (isElsewhere || (await opened.count()) > 0) await visit(page, address)
  await untilAtRest(page)
  const before = await look(page)
  let isAsked = false
  const ask = () => {
    isAsked = true
  }
  // Ignore requests for scripts. A click on a button first loads the script of its dialog, but only the dialog itself
  // counts as an effect.
  const hearRequest = (request: Request) => request.resourceType() !== 'script' && ask()
  page.on('request', hearRequest)
  // A window without an opener sends its event only to the context, not to the page.
  page.context().once('page', (opened) => {
    ask()
    void opened.close()
  })
  await page.getByRole('main').getByRole('button', { name, exact: true }).first().click()
  return expect
    .poll(async () => isAsked || (await look(page)) !== before, { timeout: 30_000 })
    .toBe(true)
    .then(
      () => true,
      () => false,
    )
    .finally(() => page.off('request', hearRequest))
}
