import { spawnSync } from 'node:child_process'

/**
 * Time limit of a run. admesh needs 15 s to check the edges of a file with triangles in random order, or more under
 * load.
 */
const LONGEST_RUN_MS = 600_000

/** A program that does the same work as our code on the same file. */
export interface MeshTool {
  name: string
  program: string
  argsFor(path: string): string[]
}

export const ADMESH: MeshTool = {
  name: 'admesh -e: read, edges matched exactly',
  program: 'admesh',
  argsFor: (path) => ['-e', path],
}
export const F3D: MeshTool = {
  name: 'f3d: read, a picture of 480 px',
  program: 'f3d',
  argsFor: (path) => [path, '--output', `${path}.png`, '--resolution', '480,480'],
}

/**
 * Runs the program. Returns how long this took in milliseconds, including its start. Returns null if it is not
 * installed or does not work here.
 */
export function runTool({ program, argsFor }: MeshTool, path: string): number | null {
  const startedAt = performance.now()
  const { status } = spawnSync(program, argsFor(path), { stdio: 'ignore', timeout: LONGEST_RUN_MS })
  return status === 0 ? performance.now() - startedAt : null
}
