import { spawn } from 'node:child_process'
import { accessSync, constants, existsSync, realpathSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { Interrupted, inProject, PlainError } from './project.mjs'

// Variables that the npm of an installation must not inherit from `npm start`. They set its folder, or leave out
// packages.
const INHERITED_SETTING =
  /^npm_config_(.*prefix|workspaces?|include.*|omit|only|production|ignore_scripts|global|location|dry_run)$/i

/** Time in ms that npm may take to undo an interrupted installation. */
const ROLLBACK_MS = 2000

/**
 * Installs exactly the packages of the lock file in `folder`, with the given Node. Shows npm's output only if
 * it fails.
 * @param {{ node: string, folder: string, flags?: string[], addKeeper: (pid: number) => void }} options
 */
export async function npmCi({ node, folder, flags = [], addKeeper }) {
  const args = [
    npmScript(),
    'ci',
    '--no-audit',
    '--no-fund',
    '--no-update-notifier',
    '--no-progress',
    ...cacheFlags(),
    ...flags,
  ]
  // Give npm its own process group, so that Ctrl-C reaches it only through forwarding. It would otherwise get the
  // signal twice, and the second one would interrupt its rollback.
  const child = spawn(node, args, {
    cwd: folder,
    env: npmEnvironment(node),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
  })
  if (child.pid) addKeeper(child.pid)
  const stopForwarding = forwardSignals(child)
  /** @type {string[]} */
  const output = []
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => output.push(text))
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve))
  const signal = stopForwarding()
  if (signal) throw new Interrupted(signal)
  if (code !== 0)
    throw new PlainError(
      `${output.join('').trim()}\n\nThe dependencies could not be installed: npm ci failed, and its output is above.`,
    )
}

/**
 * Forwards signals to npm, which then undoes the installation. After `ROLLBACK_MS`, kills npm, because the next
 * installation empties the folder anyway. Returns a function that stops forwarding and returns the signal.
 * @param {import('node:child_process').ChildProcess} child
 */
function forwardSignals(child) {
  /** @type {NodeJS.Signals | undefined} */
  let received
  /** @param {NodeJS.Signals} signal */
  const forward = (signal) => {
    if (received) return
    received = signal
    child.kill(signal)
    setTimeout(killGroup, ROLLBACK_MS, child).unref()
  }
  const signals = /** @type {NodeJS.Signals[]} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])
  for (const signal of signals) process.on(signal, forward)
  return () => {
    for (const signal of signals) process.off(signal, forward)
    return received
  }
}

/** Kills npm and the install scripts that it runs. @param {import('node:child_process').ChildProcess} child */
function killGroup(child) {
  if (child.exitCode !== null || child.signalCode !== null || !child.pid) return
  if (process.platform === 'win32') child.kill('SIGKILL')
  else process.kill(-child.pid, 'SIGKILL')
}

/**
 * Returns the environment of npm.
 * @param {string} node the Node that runs npm, and everything that npm runs
 */
function npmEnvironment(node) {
  const kept = Object.entries(process.env).filter(
    ([name]) => !INHERITED_SETTING.test(name) && name !== 'NODE_ENV',
  )
  const env = Object.fromEntries(kept)
  return {
    npm_config_globalconfig: globalSettings(),
    ...env,
    PATH: `${dirname(node)}${delimiter}${env.PATH ?? ''}`,
  }
}

/**
 * Returns the path of the npm settings of this machine, such as a company's registry and certificates. npm would look
 * for them next to the newly installed Node, where there are none.
 */
function globalSettings() {
  const bin = dirname(process.execPath)
  return join(process.platform === 'win32' ? bin : join(bin, '..'), 'etc', 'npmrc')
}

/** Returns the path of npm as a script, so that any Node can run it. */
function npmScript() {
  const script = [...npmScripts()].find((file) => file?.endsWith('npm-cli.js') && existsSync(file))
  if (!script) throw new PlainError('npm was not found: it comes with Node; install it and run this again.')
  return script
}

/**
 * Yields paths at which npm may be, the best ones first: the npm that started this process, the npm next to the running
 * Node, and each npm on the PATH.
 */
function* npmScripts() {
  yield process.env.npm_execpath
  const bin = dirname(realpathSync(process.execPath))
  yield join(bin, '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js')
  yield join(bin, 'node_modules', 'npm', 'bin', 'npm-cli.js')
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const npm = join(folder, 'npm')
    if (existsSync(npm)) yield realpathSync(npm)
  }
}

/**
 * Returns the flags that set npm's cache. Without a home folder, as in some containers and service accounts, npm would
 * choose a folder that may not be writable.
 */
function cacheFlags() {
  const home = process.env.HOME ?? process.env.USERPROFILE
  try {
    accessSync(home ?? '', constants.W_OK)
    return []
  } catch {
    return ['--cache', inProject('.cache', 'npm')]
  }
}
