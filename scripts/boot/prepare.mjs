import { areDependenciesFresh, installDependencies } from './dependencies.mjs'
import { handOver } from './hand-over.mjs'
import { withLock } from './lock.mjs'
import { inProject } from './project.mjs'
import { findNode, installNode } from './runtime.mjs'

/**
 * @param {string} file the command's file, relative to the project's folder
 * @param {string[]} args
 */
export async function prepareAndHandOver(file, args) {
  const node = await prepare()
  await handOver(node, inProject(file), args)
}

/**
 * Returns the Node to use. The lock is acquired only if something is missing, and every check is then
 * repeated.
 */
async function prepare() {
  const ready = findNode()
  if (ready && areDependenciesFresh()) return ready
  return withLock(inProject('.runtime', 'install.lock'), 'installing', async (addKeeper) => {
    const node = findNode() ?? (await installNode(addKeeper))
    if (!areDependenciesFresh()) await installDependencies(node, addKeeper)
    return node
  })
}
