import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** WCAG 2.0, 2.1 and 2.2, levels A and AA. Version 2.2 added no rule of level A that a program could check. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** The rules whose result depends on the theme: a theme changes colours and nothing else. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block']

export interface Fault {
  /** The rule of axe, such as `color-contrast`. */
  id: string
  help: string
  /** The elements, as HTML. */
  at: string[]
}

/** What axe finds wrong with the page as it is now, by all rules or only by those of colours. */
export async function findFaults(page: Page, options: { onlyColors?: boolean } = {}): Promise<Fault[]> {
  const { violations } = await new AxeBuilder({ page })
    // Passed checks are most of the result and are not needed.
    .options({
      resultTypes: ['violations'],
      runOnly: options.onlyColors ? { type: 'rule', values: COLOR_RULES } : { type: 'tag', values: TAGS },
    })
    // Without frames there is nothing to put together from several, for which axe opens a page of its own each time.
    .setLegacyMode()
    .analyze()
  return violations.map(({ id, help, nodes }) => ({ id, help, at: nodes.map(({ html }) => html) }))
}

/** No fault that axe can find. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await findFaults(page), 'faults of accessibility').toEqual([])
}

/**
 * How many pixels the page is wider than its window. Not by `innerWidth`: a phone widens that to what the page needs.
 */
export async function overhangOf(page: Page): Promise<number> {
  const width = page.viewportSize()?.width ?? 0
  return Math.max(0, (await page.evaluate(() => document.documentElement.scrollWidth)) - width)
}
