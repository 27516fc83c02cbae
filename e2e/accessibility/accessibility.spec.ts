import type { Page } from '@playwright/test'
import { findFaults, overhangOf } from '../support/accessibility.ts'
import { expect } from '../support/fixtures.ts'
import { ADMIN_SCREENS } from './admin.ts'
import { DIALOG_SCREENS } from './dialogs.ts'
import { FILAMENT_AND_QUEUE_SCREENS } from './filament-and-queue.ts'
import { INVENTORY_SCREENS } from './inventory.ts'
import { NEW_SHOP_SCREENS } from './new-shop.ts'
import { LIBRARY_SCREENS } from './library.ts'
import { PRINTER_SCREENS } from './printers.ts'
import { PRODUCTION_SCREENS } from './production.ts'
import { PRODUCT_SCREENS } from './products.ts'
import { ROOM_SCREENS } from './pages.ts'
import type { Screen } from './screen.ts'
import { SIGN_IN_SCREENS } from './sign-in.ts'
import { TROUBLE_SCREENS } from './trouble.ts'
import { UPLOAD_SCREENS } from './uploads.ts'
import { test } from '../support/staffed-shop.ts'

// Some screens show refusals and failures, and the browser or the app logs each.
test.use({
  allowedProblem:
    /status of (40[0134]|412|422|503)|ERR_FAILED|dynamically imported module|upload of .* failed|role could not be looked up/,
})

// The tests change nothing, so several workers can share this file, which takes longer than all others.
test.describe.configure({ mode: 'parallel' })

/**
 * The lists of screens of a shop with data. The key completes the title of the test, as in "no screen of the library".
 */
const SCREENS = {
  'before the sign-in': SIGN_IN_SCREENS,
  'among the tabs': ROOM_SCREENS,
  'of the library': LIBRARY_SCREENS,
  'of uploads': UPLOAD_SCREENS,
  'of the inventory': INVENTORY_SCREENS,
  'of filament, the queue and orders': FILAMENT_AND_QUEUE_SCREENS,
  'of printers': PRINTER_SCREENS,
  'of the production': PRODUCTION_SCREENS,
  'of products and their media': PRODUCT_SCREENS,
  'for administrators': ADMIN_SCREENS,
  'that opens as a dialog': DIALOG_SCREENS,
  'that shows a problem': TROUBLE_SCREENS,
}

/** The lists that a phone checks only in the long run. */
const ON_PHONE_IN_LONG_RUN: ReadonlyArray<keyof typeof SCREENS> = [
  'before the sign-in',
  'of uploads',
  'for administrators',
  'that opens as a dialog',
  'that shows a problem',
]

/** Time limit for a list of up to 33 screens on a busy machine, in ms. */
const LONG_LIST_MS = 600_000

/** The tag of tests that run on a phone only in the long run. See playwright.config.ts. */
const PHONE_IN_LONG_RUN = '@phone-in-long-run'

const THEMES = ['light', 'dark'] as const
/**
 * A phone has the same colors as the desktop. Therefore, it is checked in one theme, and without the rules about
 * colors.
 */
const PHONE_THEMES = ['light'] as const

const isPhone = (): boolean => test.info().project.name === 'phone'

interface Tally {
  /** Number of checks: one for each screen in each of its themes. */
  seen: number
  faults: string[]
}

async function judge(page: Page, screen: Screen, tally: Tally): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  try {
    await screen.open(page)
    await judgeThemes(page, screen, tally)
  } finally {
    // The next screen is opened in the first theme.
    await page.emulateMedia({ colorScheme: THEMES[0] })
  }
}

async function judgeThemes(page: Page, screen: Screen, tally: Tally): Promise<void> {
  if (!screen.prepare) await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
  // Scroll to the top. Otherwise, the check would report elements that are half hidden under the header.
  await page.evaluate(() => window.scrollTo(0, 0))
  for (const theme of isPhone() ? PHONE_THEMES : THEMES) {
    // Wait for the end of the transition to the theme, because colors are wrong during it.
    await page.emulateMedia({ colorScheme: theme })
    await expect.poll(() => isDark(page)).toBe(theme === 'dark')
    tally.seen += 1
    const rules = theme === THEMES[0] ? { ignoresColors: isPhone() } : ({ only: 'colors' } as const)
    for (const { id, help, at } of await findFaults(page, rules))
      tally.faults.push(`${screen.name}, ${theme}: ${id}: ${help}\n${at.join('\n')}`)
    const overhang = await overhangOf(page)
    if (overhang > 0) tally.faults.push(`${screen.name}, ${theme}: ${overhang} px wider than the window`)
  }
}

const isDark = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.classList.contains('dark'))

/** Checks every screen. If a screen cannot be opened, records this and continues with the next screen. */
async function judgeAll(
  where: string,
  screens: readonly Screen[],
  openPage: (screen: Screen) => Promise<Page>,
): Promise<void> {
  const project = test.info().project.name
  const tally: Tally = { seen: 0, faults: [] }
  for (const screen of screens.filter(({ only = project }) => only === project))
    await test.step(screen.name, async () => {
      await openPage(screen)
        .then((page) => judge(page, screen, tally))
        .catch((error: unknown) => {
          tally.faults.push(`${screen.name}: ${error instanceof Error ? error.message : String(error)}`)
        })
    })
  console.info(`Accessibility ${where}: faults ${tally.faults.length} of ${tally.seen} on ${project}`)
  expect(tally.faults.join('\n\n')).toBe('')
}

const plainAddress = ({ address }: Screen): string => {
  if (typeof address === 'string') return address
  throw new Error('A new shop has nothing that an address could name')
}

test('no screen of a new shop has an accessibility fault', async ({ newShop, lookAs }) => {
  test.setTimeout(LONG_LIST_MS)
  await judgeAll('of a new shop', NEW_SHOP_SCREENS, (screen) =>
    lookAs(newShop, screen.as, plainAddress(screen), screen.prepare),
  )
})

for (const [where, screens] of Object.entries(SCREENS)) {
  const tag = ON_PHONE_IN_LONG_RUN.some((name) => name === where) ? PHONE_IN_LONG_RUN : []
  test(`no screen ${where} has an accessibility fault`, { tag }, async ({ filledShop, lookAs }) => {
    test.setTimeout(LONG_LIST_MS)
    await judgeAll(where, screens, ({ as, address, prepare }) =>
      lookAs(filledShop, as, typeof address === 'string' ? address : address(filledShop), prepare),
    )
  })
}

test('the stylesheets keep no screen in one orientation', { tag: PHONE_IN_LONG_RUN }, async ({
  newShop,
  openAs,
}) => {
  const page = await openAs(newShop, 'owner')
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
  expect(await findFaults(page, { only: 'stylesheets' })).toEqual([])
  await page.evaluate(() =>
    document.styleSheets[0]?.insertRule(
      '@media (orientation: portrait) { html { transform: rotate(90deg) } }',
    ),
  )
  const found = (await findFaults(page, { only: 'stylesheets' })).map(({ id }) => id)
  expect(found).toEqual(['css-orientation-lock'])
})

test('axe finds the accessibility faults that the test adds to a page', { tag: PHONE_IN_LONG_RUN }, async ({
  newShop,
  openAs,
}) => {
  const page = await openAs(newShop, null)
  await page.goto('/login')
  await expect(page.getByRole('heading', { name: 'Ops Login' })).toBeVisible()
  await page.evaluate(() => {
    document.querySelector('h2')?.style.setProperty('color', 'silver')
    document.body.append(new Image())
    for (const button of document.querySelectorAll('button')) button.textContent = ''
  })
  const found = (await findFaults(page)).map(({ id }) => id)
  expect(found).toEqual(expect.arrayContaining(['button-name', 'color-contrast', 'image-alt']))
})
