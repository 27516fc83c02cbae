import { createRequire } from 'node:module'

/**
 * Returns a function that loads packages as a workspace does. So the baselines use the same versions as the server or
 * the web app, and can be compared with them.
 */
export const requireFrom = (workspace: 'server' | 'web') =>
  createRequire(new URL(`../../apps/${workspace}/package.json`, import.meta.url))

/** Returns the installed version of a package, or null if it is not installed. */
export function versionOf(workspace: 'server' | 'web', name: string): string | null {
  const require = requireFrom(workspace)
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

/** Imports a package in the same module format as the server, if the package exists in two formats. */
export const importPackage = <T>(name: string): Promise<T> => import(name) as Promise<T>
