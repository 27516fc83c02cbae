import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type BrowserContext, expect, type Page } from '@playwright/test'
import type { AxeResults, RunOptions } from 'axe-core'

const AXE_SOURCE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/**
 * The rules of WCAG 2.0, 2.1 and 2.2 at levels A and AA. Level A of 2.2 has no tag here, because it added no rule that
 * a program can check.
 */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** The rules whose results depend on the theme, because a theme changes only colors. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block']

/**
 * The rule that reads the stylesheets, which takes a third of axe's time, because axe fetches and parses them again.
 */
const STYLESHEET_RULE = 'css-orientation-lock'

export interface Fault {
  /** The id of the rule in axe, such as `color-contrast`. */
  id: string
  help: string
  /** The elements with the fault, as HTML. */
  at: string[]
}

/**
 * Prepares a browser in which axe checks many pages. The browser keeps axe as compiled code, which a page loads in a
 * tenth of the time.
 */
export async function keepAxe(context: BrowserContext): Promise<void> {
  await context.addInitScript(`globalThis.loadAxe = function () {${AXE_SOURCE}\n}`)
}

/** Loads axe in the page if the browser is prepared. Returns whether axe is loaded. */
function loadKeptAxe(): boolean {
  // Axe stays in the document, so load it only once for both themes.
  if ('axe' in globalThis) return true
  const { loadAxe } = globalThis as { loadAxe?: () => void }
  loadAxe?.()
  return loadAxe !== undefined
}

/**
 * Returns the faults that axe finds on the page. By default, it checks all rules about the content. `ignoresColors`
 * leaves out the rules about colors. `only` checks only these, or only the rule about the stylesheets, which all pages
 * share.
 */
export async function findFaults(
  page: Page,
  options: { only?: 'colors' | 'stylesheets'; ignoresColors?: boolean } = {},
): Promise<Fault[]> {
  if (!(await page.evaluate(loadKeptAxe))) await page.evaluate(AXE_SOURCE)
  await page.evaluate(finishTransitions)
  const rules = { colors: COLOR_RULES, stylesheets: [STYLESHEET_RULE] }
  return page.evaluate(runAxe, {
    // Leave out passed checks, which make up most of the result.
    resultTypes: ['violations'],
    // Leave out selectors, because the report shows the elements themselves.
    selectors: false,
    // The app has no frames.
    iframes: false,
    preload: options.only === 'stylesheets',
    ...(options.ignoresColors && {
      rules: Object.fromEntries(COLOR_RULES.map((id) => [id, { enabled: false }])),
    }),
    runOnly: options.only ? { type: 'rule', values: rules[options.only] } : { type: 'tag', values: TAGS },
  } satisfies RunOptions)
}

/** Ends all transitions in the page. While the theme changes, a button has a color of neither theme. */
function finishTransitions(): void {
  // Getting this list also starts the transitions of classes that have just changed.
  for (const animation of document.getAnimations()) {
    if (animation instanceof CSSTransition) animation.finish()
  }
}

/** Runs axe in the page, and returns the faults. */
async function runAxe(options: RunOptions): Promise<Fault[]> {
  const { axe } = window as unknown as { axe: { run(options: RunOptions): Promise<AxeResults> } }
  const { violations } = await axe.run(options)
  return violations.map(({ id, help, nodes }) => ({ id, help, at: nodes.map(({ html }) => html) }))
}

/** Fails if axe finds a fault. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await findFaults(page), 'faults of accessibility').toEqual([])
}

/**
 * Returns by how many pixels the page is wider than its window. A phone widens `innerWidth` to the width of the page,
 * so the result does not depend on it.
 */
export async function overhangOf(page: Page): Promise<number> {
  const width = page.viewportSize()?.width ?? 0
  return Math.max(0, (await page.evaluate(() => document.documentElement.scrollWidth)) - width)
}
