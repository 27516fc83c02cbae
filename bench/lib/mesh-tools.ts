import { spawnSync } from 'node:child_process'

/** An edge check of scrambled triangles takes admesh 15 s, and longer under load. */
const LONGEST_RUN_MS = 600_000

/** Another program that does the same work on the same file. */
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

/** Milliseconds of one run, including the start of the program; null if it is not installed or does not work here. */
export function runTool({ program, argsFor }: MeshTool, path: string): number | null {
  const startedAt = performance.now()
  const { status } = spawnSync(program, argsFor(path), { stdio: 'ignore', timeout: LONGEST_RUN_MS })
  return status === 0 ? performance.now() - startedAt : null
}
