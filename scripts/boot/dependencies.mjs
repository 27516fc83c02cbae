import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { npmCi } from './npm.mjs'
import { inProject, say, secondsSince } from './project.mjs'

const STAMP = inProject('node_modules', '.pegasus-installed')

/**
 * Returns a text that changes when the dependencies must be installed again. It contains the hash of the lock file, and
 * the platform and processor.
 */
export function expectedStamp(
  lock = readFileSync(inProject('package-lock.json')),
  platform = `${process.platform}-${process.arch}`,
) {
  return `${createHash('sha256').update(lock).digest('hex')} ${platform}\n`
}

export function areDependenciesFresh() {
  return existsSync(STAMP) && readFileSync(STAMP, 'utf8') === expectedStamp()
}

/**
 * Installs the dependencies of the lock file with the given Node. `addKeeper` gets the id of npm's process, which then
 * also keeps the lock.
 * @param {string} node
 * @param {(pid: number) => void} addKeeper
 */
export async function installDependencies(node, addKeeper) {
  const startedAt = Date.now()
  say(`installing the locked dependencies${existsSync(STAMP) ? ', which have changed' : ''}`)
  // Remove the stamp first, so that an interrupted installation is not taken for a complete one.
  rmSync(STAMP, { force: true })
  const stamp = expectedStamp()
  await npmCi({ node, folder: inProject(), flags: ['--include=dev', '--include=optional'], addKeeper })
  mkdirSync(inProject('node_modules'), { recursive: true })
  writeFileSync(STAMP, stamp)
  say(`the dependencies are ready after ${secondsSince(startedAt)}`)
}
