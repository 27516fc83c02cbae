import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { inProject, ROOT } from '../boot/project.mjs'

export const WEB_DIST = inProject('apps', 'web', 'dist')
export const BUILD_STAMP = inProject('apps', 'web', 'dist', '.vite', 'sources')
export const BUILD_LOCK = inProject('.cache', 'web-build.lock')

/** The inputs of the build: sources, packages, tools and their settings. */
const SOURCES = [
  'apps/web',
  'packages/contracts',
  'packages/mesh',
  'scripts/web',
  'package-lock.json',
  'tsconfig.base.json',
]
const NOT_BUILT_IN = new Set(['dist', 'node_modules', 'test'])

/**
 * Returns a hash of the names and contents of the sources. It ignores times, so that a new checkout causes no new
 * build.
 */
export function hashWebSources(root = ROOT): string {
  const hash = createHash('sha256')
  for (const file of SOURCES.flatMap((source) => filesOf(root, source)).sort()) {
    const contents = readFileSync(`${root}/${file}`)
    hash.update(`${file}\0${contents.length}\0`).update(contents)
  }
  return hash.digest('hex')
}

function filesOf(root: string, source: string): string[] {
  const entries = globSync([source, `${source}/**`], {
    cwd: root,
    withFileTypes: true,
    exclude: ({ name }) => NOT_BUILT_IN.has(name),
  })
  return entries
    .filter((entry) => entry.isFile() && !/\.(test\.tsx?|tsbuildinfo)$/.test(entry.name))
    .map((entry) => `${entry.parentPath}/${entry.name}`.slice(root.replace(/\/$/, '').length + 1))
}
