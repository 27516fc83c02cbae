import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Rolldown } from 'vite'

type Graph = Pick<Rolldown.PluginContext, 'getModuleInfo'>

const sourceOf = (path: string): string => fileURLToPath(new URL(`../src/${path}`, import.meta.url))
const TAB_PAGE = /^ {2}'?([\w-]+)'?: \(\) => import\('(\.\.?\/[^']+)'\)/gm

/** Maps a tab's name in the URL to the path of its page, relative to `src`. */
export const TAB_PAGES: Readonly<Record<string, string>> = Object.fromEntries(
  [...readFileSync(sourceOf('routes/tab-pages.ts'), 'utf8').matchAll(TAB_PAGE)].map(
    ([, tab = '', path = '']) => [tab, posix.join('routes', path)],
  ),
)
/** The screens for people who are not signed in, relative to `src`. */
export const SIGN_IN_PAGES = ['routes/login.tsx', 'routes/legacy-login.tsx']
/** The frame around all pages behind the sign-in, and the frame of a tab, relative to `src`. */
export const FRAME = ['routes/signed-in.ts']

/** The charts of the dashboard, relative to `src`. They are loaded after the page, and share code with other tabs. */
const LATE_CHARTS = 'features/dashboard/charts.tsx'

/** Matches code that only the sign-in screens use. */
const SIGN_IN_ALONE = /[\\/](?:routes|features[\\/]auth)[\\/]/
/**
 * The tab with the longest list. Its page shares little with other pages, so the shared code goes into a
 * script of its own.
 */
const LIGHT_TAB = 'stl-library'

/** Packages that are put into a script of our own sources, because a script for each would cost a request. */
const PACKAGES: readonly [RegExp, string][] = [
  // The auth client and the dialogs both need tslib, but are loaded separately.
  [/node_modules[\\/]tslib/, 'fields'],
  [/node_modules[\\/]@tanstack[\\/](?:virtual|react-virtual)/, 'lists'],
]

/** Matches a file of the icon library. Its group is the name of the icon, such as `eye-off`, if the file is an icon. */
const ICONS = /node_modules[\\/]lucide-react[\\/](?:.*[\\/]icons[\\/]([\w-]+)\.)?/
const ICON_IMPORT = /import\s*\{([^}]*)\}\s*from\s*["']lucide-react["']/g
const ICON_EXPORT = /export\s*\{([^}]*)\}\s*from\s*["']\.\/icons\/([\w-]+)\.\w+["']/g

/**
 * Matches our own sources. Except for icons and `PACKAGES`, packages are not assigned here, but follow the sources that
 * use them.
 */
const OWN = /[\\/](?:apps[\\/]web[\\/]src|packages[\\/]\w+[\\/]src)[\\/]/

/**
 * Returns a function that assigns a module to a script, so that each page loads few scripts and little code
 * that it does not need. A module goes into the script of the sign-in, of the frame, or of the only tab that
 * uses it. Modules that several tabs share are in one of two common scripts. The function returns null for all other
 * modules, such as those of dialogs.
 */
export function createChunkNames(): (id: string, graph: Graph) => string | null {
  let graphOfSets: Graph | null = null
  let sets: Record<string, ReadonlySet<string>> = {}
  return (id, graph) => {
    const [, script] = PACKAGES.find(([files]) => files.test(id)) ?? []
    if (script !== undefined) return script
    const [icon, name] = ICONS.exec(id) ?? []
    if (!OWN.test(id) && icon === undefined) return null
    if (graph !== graphOfSets) {
      graphOfSets = graph
      sets = findSets(graph)
    }
    if (icon !== undefined) return scriptOfIcon(name, sets)
    if (sets['sign-in']?.has(id)) return SIGN_IN_ALONE.test(id) ? 'sign-in' : 'fields'
    if (sets['frame']?.has(id)) return 'frame'
    const tabs = Object.keys(TAB_PAGES).filter((tab) => sets[tab]?.has(id))
    // In the script of the only tab with such charts, they would make the dashboard load that whole tab.
    if (tabs.length === 1 && tabs[0] !== 'dashboard' && sets['late charts']?.has(id)) return 'charts'
    if (tabs.length === 1) return tabs[0] ?? null
    if (tabs.length > 1 && sets[LIGHT_TAB]?.has(id)) return 'lists'
    // One script for each combination of tabs would be small, and each script costs a slow connection a request.
    return tabs.length > 1 ? 'pages' : null
  }
}

/**
 * The sign-in page loads only its own icons and the code for all icons, and the library only its own icons and those of
 * the frame. The icons of all other tabs are in one script.
 */
function scriptOfIcon(name: string | undefined, sets: Record<string, ReadonlySet<string>>): string {
  if (!name || sets['sign-in icons']?.has(name)) return 'fields'
  return sets['frame icons']?.has(name) ? 'frame' : sets['light icons']?.has(name) ? 'lists' : 'icons'
}

const findSets = (graph: Graph): Record<string, ReadonlySet<string>> => ({
  'sign-in': loadedBy(SIGN_IN_PAGES, graph),
  'sign-in icons': iconsOf(loadedBy(SIGN_IN_PAGES, graph), graph),
  frame: loadedBy(FRAME, graph),
  'frame icons': iconsOf(loadedBy(FRAME, graph), graph),
  'light icons': iconsOf(loadedBy([TAB_PAGES[LIGHT_TAB] ?? ''], graph), graph),
  'late charts': loadedBy([LATE_CHARTS], graph),
  ...Object.fromEntries(Object.entries(TAB_PAGES).map(([tab, path]) => [tab, loadedBy([path], graph)])),
})

/** Returns our own modules that these pages import statically, directly or indirectly. */
function loadedBy(pages: readonly string[], graph: Graph): ReadonlySet<string> {
  const found = new Set(pages.map(sourceOf))
  // The loop also visits the entries that are added to the set while it runs.
  for (const id of found)
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? [])
      if (OWN.test(imported)) found.add(imported)
  return found
}

/** Returns the files of the icons that these modules import, without their extension, such as `eye-off`. */
function iconsOf(modules: ReadonlySet<string>, graph: Graph): ReadonlySet<string> {
  const codeOf = (id: string): string => graph.getModuleInfo(id)?.code ?? ''
  const imported = new Set<string>()
  let library = ''
  for (const id of modules) {
    for (const [, names = ''] of codeOf(id).matchAll(ICON_IMPORT))
      for (const name of names.match(/\w+/g) ?? []) imported.add(name)
    library ||= graph.getModuleInfo(id)?.importedIds.find((each) => ICONS.test(each)) ?? ''
  }
  // The library exports each icon under its present and its former names.
  const files = [...codeOf(library).matchAll(ICON_EXPORT)]
  return new Set(
    files
      .filter(([, names = '']) => (names.match(/\w+/g) ?? []).some((name) => imported.has(name)))
      .map(([, , file = '']) => file),
  )
}
