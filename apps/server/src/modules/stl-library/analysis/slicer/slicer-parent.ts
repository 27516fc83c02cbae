// Runs a slicer and ends with it: a process between the server and the slicer, which leads the group of both. A server that
// is killed by -9 ends nobody, but its end closes our standard input, which it holds open and never writes to.
import { spawn } from 'node:child_process'
import { setPriority } from 'node:os'

/** Whoever waits for a page goes first. */
const PRIORITY = 10

/** What a shell answers for a program that is not there. */
const NOT_STARTED = 127

const [program = '', ...args] = process.argv.slice(2)

try {
  setPriority(PRIORITY)
} catch {
  // This system has no priorities.
}

// The slicer with all it started, and this process.
const endGroup = () => process.kill(-process.pid, 'SIGKILL')
process.stdin.once('error', endGroup).once('close', endGroup).resume()

const slicer = spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit'] })
slicer.once('error', ({ message }) => {
  process.stderr.write(`It could not be started: ${message}`)
  process.exit(NOT_STARTED)
})
slicer.once('exit', (code, signal) => {
  if (signal !== null) process.stderr.write(`It was ended by ${signal}.`)
  process.exit(code ?? 1)
})
