import type { Locator } from '@playwright/test'

const CONTROL =
  /^\s*- '?((?:button|checkbox|combobox|link|menuitem|option|radio|searchbox|slider|spinbutton|switch|tab|textbox) "(?:[^"\\]|\\.)*")/

/** What a screen reader finds to act on, such as `button "Upload STL"`, each once. */
export async function findControls(where: Locator): Promise<Set<string>> {
  const lines = (await where.ariaSnapshot()).split('\n')
  return new Set(lines.map((line) => CONTROL.exec(line)?.[1]).filter((control) => control !== undefined))
}

/** Without numbers and times, so that two looks at the same thing find the same. */
export const withoutNumbers = (control: string): string =>
  control.replace(/just now|\d+ \w+\.? ago|\d+/g, '#')
