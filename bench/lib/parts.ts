import { createRequire } from 'node:module'

/**
 * The baselines are made of the very parts that the product is made of, so they are taken from the workspace that
 * declares them: another version beside it would make the comparison worth nothing.
 */
export const partOf = (workspace: 'server' | 'web') =>
  createRequire(new URL(`../../apps/${workspace}/package.json`, import.meta.url))

/** The version of a part that is in use; null where it is not installed. */
export function versionOf(workspace: 'server' | 'web', name: string): string | null {
  const require = partOf(workspace)
  const folders = require.resolve.paths(name) ?? []
  for (const folder of folders) {
    try {
      return (require(`${folder}/${name}/package.json`) as { version: string }).version
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND')) throw error
    }
  }
  return null
}

/** The same for a part whose modules come in two flavours: the one that the product imports. */
export const importPart = <T>(name: string): Promise<T> => import(name) as Promise<T>
