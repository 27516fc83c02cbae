import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'
import { inProject, ROOT } from '../boot/project.mjs'

const run = promisify(execFile)

/** Clones the last commit into a new folder, and links the installed dependencies, except our own packages. */
async function cloneProject(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pegasus-new-module-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await run('git', ['clone', '--quiet', '--shared', ROOT, folder])
  const modules = join(folder, 'node_modules')
  await mkdir(join(modules, '@pegasus'), { recursive: true })
  for (const name of await readdir(inProject('node_modules')))
    if (name !== '@pegasus') await symlink(inProject('node_modules', name), join(modules, name))
  for (const name of ['contracts', 'mesh'])
    await symlink(join(folder, 'packages', name), join(modules, '@pegasus', name))
  return folder
}

/**
 * Runs `npm run new:module packing-stations` in a clone of the project. Returns the folder of the clone, and a function
 * that runs Node in it.
 */
export async function generateModule() {
  const folder = await cloneProject()
  const node = (...args: string[]) => run(process.execPath, args, { cwd: folder })
  await node('scripts/commands/new-module.ts', 'packing-stations')
  return { folder, node }
}
