import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { npmCi } from './npm.mjs'
import { inProject, say, secondsSince } from './project.mjs'

const STAMP = inProject('node_modules', '.pegasus-installed')

/** Returns the inputs of an installation: the lock file, and the platform for which packages are chosen. */
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
 * @param {string} node
 * @param {(pid: number) => void} addKeeper
 */
export async function installDependencies(node, addKeeper) {
  const startedAt = Date.now()
  say(`installing the locked dependencies${existsSync(STAMP) ? ', which have changed' : ''}`)
  // Remove the stamp first, so that an interrupted installation never looks complete.
  rmSync(STAMP, { force: true })
  const stamp = expectedStamp()
  await npmCi({ node, folder: inProject(), flags: ['--include=dev', '--include=optional'], addKeeper })
  mkdirSync(inProject('node_modules'), { recursive: true })
  writeFileSync(STAMP, stamp)
  say(`the dependencies are ready after ${secondsSince(startedAt)}`)
}
