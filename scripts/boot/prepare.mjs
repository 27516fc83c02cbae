import { areDependenciesFresh, installDependencies } from './dependencies.mjs'
import { handOver } from './hand-over.mjs'
import { withLock } from './lock.mjs'
import { inProject } from './project.mjs'
import { findNode, installNode } from './runtime.mjs'

/**
 * Prepares the checkout and then runs the command.
 * @param {string} file the command's file, relative to the project's folder
 * @param {string[]} args
 */
export async function prepareAndHandOver(file, args) {
  const node = await prepare()
  await handOver(node, inProject(file), args)
}

/**
 * Returns the path of the Node to use. If something must be installed, takes the lock and checks everything again,
 * because another process may have installed it.
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
