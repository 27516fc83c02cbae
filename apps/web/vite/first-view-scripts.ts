import type { Plugin, Rolldown } from 'vite'
import { FRAME, SIGN_IN_PAGES, TAB_PAGES } from './chunks.ts'

/** The list of scripts is placed before this script, which reads it. */
const READER = '<script src="/first-view.js"'
const ENTRY = /\s*<script type="module"[^>]* src="(\/assets\/[^"]+)"[^>]*><\/script>/
/**
 * Matches the links that preload the entry's imports. `public/first-view.js` adds them when the first view is painted,
 * because loading and compiling them would delay the paint.
 */
const IMPORTS_OF_ENTRY = /\s*<link rel="modulepreload"[^>]*>/g

/**
 * Writes the scripts of the app and of each tab into the page, as a list. `public/first-view.js` loads the scripts of
 * the app and of the tab in the URL, or of the sign-in page. Numbers in the list are indexes of `files`, which are names
 * in `/assets` without `.js`.
 */
export const firstViewScripts = (): Plugin => ({
  name: 'first-view-scripts',
  transformIndexHtml: {
    order: 'post',
    handler(page, { bundle }) {
      if (!bundle) return page
      const entry = ENTRY.exec(page)?.[1]
      if (!entry) throw new Error('index.html does not load the app.')
      if (!page.includes(READER)) throw new Error('index.html does not load first-view.js.')
      const list = JSON.stringify({ entry, ...listScripts(bundle, entry.slice(1)) })
      return page
        .replace(ENTRY, '')
        .replaceAll(IMPORTS_OF_ENTRY, '')
        .replace(READER, `<script type="application/json" id="scripts">${list}</script>\n    ${READER}`)
    },
  },
})

function listScripts(bundle: Rolldown.OutputBundle, entry: string) {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
  const files: string[] = []
  const indexesOf = (names: readonly string[]): number[] =>
    [...closureOf(chunks, names)].map((file) => {
      if (!files.includes(file)) files.push(file)
      return files.indexOf(file)
    })
  const scriptOf = (source: string): string => {
    const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/apps/web/src/${source}`))
    if (!chunk) throw new Error(`The build has no script of its own for ${source}.`)
    return chunk.fileName
  }
  const tabs = Object.entries(TAB_PAGES)
  if (tabs.length === 0) throw new Error('tab-pages.ts names no page of a tab.')
  const start = indexesOf([entry]).filter((index) => files[index] !== entry)
  const frame = indexesOf(FRAME.map(scriptOf))
  // Each visit loads the start, and each tab the frame, so their scripts are listed once.
  const rest = (source: string) =>
    indexesOf([scriptOf(source)]).filter((index) => !start.includes(index) && !frame.includes(index))
  return {
    start,
    signIn: indexesOf(SIGN_IN_PAGES.map(scriptOf)).filter((index) => !start.includes(index)),
    frame: frame.filter((index) => !start.includes(index)),
    tabs: Object.fromEntries(tabs.map(([tab, path]) => [tab, rest(path)])),
    files: files.map(nameOf),
  }
}

/** Returns the name of a script in `/assets` without its extension. */
function nameOf(file: string): string {
  const [, name] = /^assets\/(.+)\.js$/.exec(file) ?? []
  if (name === undefined) throw new Error(`${file} is not a script in assets.`)
  return name
}

/** Returns these files and all files that they import statically. */
function closureOf(chunks: readonly Rolldown.OutputChunk[], names: readonly string[]): Set<string> {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  const found = new Set<string>()
  const visit = (name: string): void => {
    const chunk = byName.get(name)
    if (!chunk || found.has(name)) return
    found.add(name)
    for (const imported of chunk.imports) visit(imported)
  }
  for (const name of names) visit(name)
  return found
}
