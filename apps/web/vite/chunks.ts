import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Rolldown } from 'vite'

type Graph = Pick<Rolldown.PluginContext, 'getModuleInfo'>

const sourceOf = (path: string): string => fileURLToPath(new URL(`../src/${path}`, import.meta.url))
const TAB_PAGE = /^ {2}'?([\w-]+)'?: \(\) => import\('(\.\.?\/[^']+)'\)/gm

/** The pages of the tabs, by their name in the address, relative to `src`. */
export const TAB_PAGES: Readonly<Record<string, string>> = Object.fromEntries(
  [...readFileSync(sourceOf('routes/tab-pages.ts'), 'utf8').matchAll(TAB_PAGE)].map(
    ([, tab = '', path = '']) => [tab, posix.join('routes', path)],
  ),
)
/** The screens for somebody who is not signed in, relative to `src`. */
const SIGN_IN_PAGES = ['routes/login.tsx', 'routes/legacy-login.tsx']
/** The frame around all pages of somebody who is signed in, and the dashboard, relative to `src`. */
export const FRAME = ['routes/signed-in-layout.tsx', 'routes/tab-frame.tsx']

/** Code that other pages do not use. */
const SIGN_IN_ALONE = /[\\/](?:routes|features[\\/]auth)[\\/]/
/** The longest list, whose page shares little with others and shall load no more than that. */
const LIGHT_TAB = 'stl-library'
/** Code that this many of the other tabs share is one script. */
const MANY_TABS = 3

/** Our own sources, which say where a package belongs that only they use. */
const OWN = /[\\/](?:apps[\\/]web[\\/]src|packages[\\/]\w+[\\/]src)[\\/]/

/**
 * The script of a module, so that each page loads few of them and little that it does not need: that of the sign-in, of the
 * frame, or of the only tab that uses it. Null for all others, such as those of dialogs, and what several tabs share.
 */
export function createChunkNames(): (id: string, graph: Graph) => string | null {
  let graphOfSets: Graph | null = null
  let sets: Record<string, ReadonlySet<string>> = {}
  return (id, graph) => {
    if (!OWN.test(id)) return null
    if (graph !== graphOfSets) {
      graphOfSets = graph
      sets = findSets(graph)
    }
    if (sets['sign-in']?.has(id)) return SIGN_IN_ALONE.test(id) ? 'sign-in' : 'fields'
    if (sets['frame']?.has(id)) return 'frame'
    const tabs = Object.keys(TAB_PAGES).filter((tab) => sets[tab]?.has(id))
    if (tabs.length === 1) return tabs[0] ?? null
    if (tabs.length > 1 && sets[LIGHT_TAB]?.has(id)) return 'lists'
    return tabs.length >= MANY_TABS ? 'pages' : null
  }
}

const findSets = (graph: Graph): Record<string, ReadonlySet<string>> => ({
  'sign-in': loadedBy(SIGN_IN_PAGES, graph),
  frame: loadedBy(FRAME, graph),
  ...Object.fromEntries(Object.entries(TAB_PAGES).map(([tab, path]) => [tab, loadedBy([path], graph)])),
})

/** Our own modules that pages import at once, directly or not. */
function loadedBy(pages: readonly string[], graph: Graph): ReadonlySet<string> {
  const found = new Set(pages.map(sourceOf))
  // A set may grow while it is walked.
  for (const id of found)
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? [])
      if (OWN.test(imported)) found.add(imported)
  return found
}
