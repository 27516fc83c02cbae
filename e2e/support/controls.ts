import { expect, type Locator, type Page } from '@playwright/test'

const CONTROL =
  /^\s*- '?((?:button|checkbox|combobox|link|menuitem|option|radio|searchbox|slider|spinbutton|switch|tab|textbox) "(?:[^"\\]|\\.)*")/

/** What a screen reader finds to act on, such as `button "Upload STL"`, each once. */
export async function findControls(where: Locator): Promise<Set<string>> {
  const lines = (await where.ariaSnapshot()).split('\n')
  return new Set(lines.map((line) => CONTROL.exec(line)?.[1]).filter((control) => control !== undefined))
}

/** Without numbers and times, so that two looks at the same thing find the same. */
export const withoutNumbers = (control: string): string =>
  control.replace(/, \d+ unread| ?(just now|\d+ \w+\.? ago|\(\d+\)|\d+)/g, '')

/** Waits until no skeleton stands for what is to come. */
export const untilLoaded = (page: Page): Promise<void> =>
  expect(page.locator('[aria-busy=true]')).toHaveCount(0)

/** What the page asks for from now on and is refused. */
export function watchForRefusals(page: Page): string[] {
  const refused: string[] = []
  page.on('response', (response) => {
    if ([401, 403].includes(response.status())) refused.push(response.url())
  })
  return refused
}

/** A button of the header; on a phone it is in the menu of the account. */
export async function pressSignOut(page: Page): Promise<void> {
  const account = page.getByRole('button', { name: 'Account', exact: true })
  const button = page.getByRole('button', { name: 'Sign out', exact: true })
  await expect(account.or(button).filter({ visible: true }).first()).toBeVisible()
  if (await button.isVisible()) return button.click()
  await account.click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
}
