import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { inProject, ROOT } from '../boot/project.mjs'

export const WEB_DIST = inProject('apps', 'web', 'dist')
export const BUILD_STAMP = inProject('apps', 'web', 'dist', '.vite', 'sources')
export const BUILD_LOCK = inProject('.cache', 'web-build.lock')

/** What the built app is made of: its sources, the packages it takes in, the tools, and how they are run. */
const SOURCES = [
  'apps/web',
  'packages/contracts',
  'packages/mesh',
  'scripts/web',
  'package-lock.json',
  'tsconfig.base.json',
]
const NOT_BUILT_IN = new Set(['dist', 'node_modules', 'test'])

/** A hash of the names and contents, so that neither a checkout nor a touched file costs a build. */
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
