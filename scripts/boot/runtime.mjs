import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { npmCi } from './npm.mjs'
import { inProject, PlainError, say, secondsSince } from './project.mjs'

/** From this version on, Node runs TypeScript without a warning. */
const WANTED_NODE = 24

const OS_NAMES = { linux: 'linux', win32: 'win', darwin: 'darwin' }

/**
 * Returns the path of the Node to use, or null if it must be installed first. If the running Node is recent enough,
 * returns its path.
 */
export function findNode() {
  if (Number.parseInt(process.versions.node, 10) >= WANTED_NODE) return process.execPath
  const folder = inProject('.runtime', 'current')
  const node = binaryIn(folder)
  return isSame(join(folder, 'ok'), pinned()) && existsSync(node) ? node : null
}

/**
 * Installs the pinned Node in the project. The folder gets its final name when it is complete, so an interrupted
 * installation is never used.
 * @param {(pid: number) => void} addKeeper
 */
export async function installNode(addKeeper) {
  const startedAt = Date.now()
  const name = platformPackage()
  const version = JSON.parse(pinnedFile('package.json')).optionalDependencies[name]
  if (!version)
    throw new PlainError(
      `Node ${process.versions.node} is too old, and the project pins no newer one for this platform (${name}): install Node ${WANTED_NODE} or newer, and run this again.`,
    )
  say(`Node ${process.versions.node} is older than ${WANTED_NODE}: installing Node ${version} into .runtime/`)
  const next = inProject('.runtime', 'new')
  rmSync(next, { recursive: true, force: true })
  mkdirSync(next, { recursive: true })
  for (const file of ['package.json', 'package-lock.json', '.npmrc'])
    copyFileSync(inProject('runtime', file), join(next, file))
  await npmCi({
    node: process.execPath,
    folder: next,
    flags: ['--ignore-scripts', '--include=optional'],
    addKeeper,
  })
  assertRuns(binaryIn(next), version)
  // Remove the headers, which are half of the size. They are needed only to build native modules.
  rmSync(join(next, 'node_modules', name, 'include'), { recursive: true, force: true })
  writeFileSync(join(next, 'ok'), pinned())
  const current = inProject('.runtime', 'current')
  rmSync(current, { recursive: true, force: true })
  renameSync(next, current)
  say(`Node ${version} is ready after ${secondsSince(startedAt)}`)
  return binaryIn(current)
}

function platformPackage() {
  const os = /** @type {Record<string, string>} */ (OS_NAMES)[process.platform] ?? process.platform
  return `node-${os}-${process.arch}`
}

/** @param {string} folder */
function binaryIn(folder) {
  return join(
    folder,
    'node_modules',
    platformPackage(),
    'bin',
    process.platform === 'win32' ? 'node.exe' : 'node',
  )
}

/** @param {string} name */
const pinnedFile = (name) => readFileSync(inProject('runtime', name), 'utf8')

/** Returns the stamp of an installation of the pinned Node. If it differs, Node must be installed again. */
const pinned = () => `${platformPackage()}\n${pinnedFile('package-lock.json')}`

/**
 * @param {string} file
 * @param {string} contents
 */
function isSame(file, contents) {
  return existsSync(file) && readFileSync(file, 'utf8') === contents
}

/**
 * Throws if this Node does not run. The package is built for glibc. On a system with another C library it can be
 * installed, but not run.
 * @param {string} node
 * @param {string} version
 */
function assertRuns(node, version) {
  try {
    execFileSync(node, ['--version'], { stdio: 'ignore' })
  } catch {
    throw new PlainError(
      `Node ${version} does not run on this machine (another C library?): install Node ${WANTED_NODE} or newer yourself, and run this again.`,
    )
  }
}
