import { expect, type Locator, type Page } from '@playwright/test'

const CONTROL =
  /^\s*- '?((?:button|checkbox|combobox|link|menuitem|option|radio|searchbox|slider|spinbutton|switch|tab|textbox) "(?:[^"\\]|\\.)*")/

/**
 * Returns the names of the controls that a screen reader finds, such as `button "Upload STL"`. Each name occurs once.
 */
export async function findControls(where: Locator): Promise<Set<string>> {
  const lines = (await where.ariaSnapshot()).split('\n')
  return new Set(lines.map((line) => CONTROL.exec(line)?.[1]).filter((control) => control !== undefined))
}

/** Removes numbers and times from the name of a control, because they differ from one moment to the next. */
export const withoutNumbers = (control: string): string =>
  control.replace(/, \d+ unread| ?(just now|\d+ \w+\.? ago|\(\d+\)|\d+)/g, '')

/** Waits until all skeletons are gone. */
export const untilLoaded = (page: Page): Promise<void> =>
  expect(page.locator('[aria-busy=true]')).toHaveCount(0)

/** Searches a list for these words. */
export async function searchFor(page: Page, words: string): Promise<void> {
  const field = page.getByRole('main').getByRole('searchbox')
  await field.fill(words)
  await field.press('Enter')
}

/** Sets filters of a list and applies them. On a phone, the filters are in a sheet. */
export async function applyFilters(page: Page, set: () => Promise<void>): Promise<void> {
  await openSheet(page)
  await set()
  await page.getByRole('button', { name: 'Apply Filters' }).click()
}

/** On a phone, opens the sheet with the filters and the sort order of a list. Does nothing on a desktop. */
export async function openSheet(page: Page): Promise<void> {
  const sheet = page.getByRole('button', { name: /^Filters(, \d+ applied)?$/ })
  const apply = page.getByRole('button', { name: 'Apply Filters' })
  await expect(sheet.or(apply).filter({ visible: true }).first()).toBeVisible()
  if (await sheet.isVisible()) await sheet.click()
}

/** Returns a list to which the address of each refused request of the page (401 or 403) is added from now on. */
export function watchForRefusals(page: Page): string[] {
  const refused: string[] = []
  page.on('response', (response) => {
    if ([401, 403].includes(response.status())) refused.push(response.url())
  })
  return refused
}

/** Signs out. The button is in the header, or on a phone in the account menu. */
export async function pressSignOut(page: Page): Promise<void> {
  const account = page.getByRole('button', { name: 'Account', exact: true })
  const button = page.getByRole('button', { name: 'Sign out', exact: true })
  await expect(account.or(button).filter({ visible: true }).first()).toBeVisible()
  if (await button.isVisible()) return button.click()
  await account.click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
}
