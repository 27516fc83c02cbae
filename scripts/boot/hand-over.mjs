import { spawn } from 'node:child_process'
import module from 'node:module'
import { delimiter, dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import { inProject } from './project.mjs'

const FORWARDED = /** @type {NodeJS.Signals[]} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])

/**
 * The same signal counts only once within this time, in ms. In a terminal, Ctrl-C reaches all processes of the group,
 * and is also forwarded.
 */
const SAME_SIGNAL_MS = 1000

/**
 * Runs the command's file with the given Node. If this process already runs with that Node, imports the file here, so
 * that no signals have to be forwarded.
 * @param {string} node
 * @param {string} file
 * @param {string[]} args
 */
export async function handOver(node, file, args) {
  const compileCache = inProject('.cache', 'compile')
  process.env.NODE_COMPILE_CACHE = compileCache
  if (node !== process.execPath) return bootInChild(node)
  module.enableCompileCache?.(compileCache)
  process.argv = [process.execPath, file, ...args]
  await import(pathToFileURL(file).href)
}

/**
 * Runs the same command again with the given Node, in a child process.
 * @param {string} node
 */
function bootInChild(node) {
  const followParent = new URL('./follow-parent.mjs', import.meta.url).href
  const child = spawn(node, [...process.execArgv, '--import', followParent, ...process.argv.slice(1)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}` },
  })
  const stopForwarding = forwardOnce(child)
  child.on('error', (error) => {
    console.error(`${node} could not be started: ${error.message}`)
    process.exitCode = 1
  })
  child.on('exit', (code, signal) => {
    stopForwarding()
    // End in the same way as the child, so that a shell or a service manager sees the same status.
    if (signal) process.kill(process.pid, signal)
    else process.exitCode = code ?? 1
  })
}

/**
 * Forwards signals to the child. Returns a function that stops this.
 * @param {import('node:child_process').ChildProcess} child
 */
function forwardOnce(child) {
  /** @type {Partial<Record<NodeJS.Signals, number>>} */
  const forwardedAt = {}
  /** @param {NodeJS.Signals} signal */
  const forward = (signal) => {
    const now = Date.now()
    if (now - (forwardedAt[signal] ?? 0) < SAME_SIGNAL_MS) return
    forwardedAt[signal] = now
    child.kill(signal)
  }
  for (const signal of FORWARDED) process.on(signal, forward)
  return () => {
    for (const signal of FORWARDED) process.off(signal, forward)
  }
}
