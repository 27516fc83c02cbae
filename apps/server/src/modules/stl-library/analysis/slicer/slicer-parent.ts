// This process runs a slicer and ends when the server ends. The server starts it, and it starts the slicer and leads
// the process group of both. A server that is killed with SIGKILL cannot kill its children. But then the standard input
// of this process is closed, because the server keeps it open without writing to it.
import { spawn } from 'node:child_process'
import { setPriority } from 'node:os'

/** Niceness of the slicer. People's requests have priority over slicing. */
const PRIORITY = 10

/** The exit code with which a shell reports a missing program. */
const NOT_STARTED = 127

const [memory = '0', ...command] = process.argv.slice(2)

/**
 * A shell sets the memory limit, because Node cannot. On a system without `ulimit -v`, there is no limit. The arguments
 * are passed separately, so they are never run as part of the script.
 */
const LIMITED = 'ulimit -v "$1" 2>/dev/null; shift; exec "$@"'
const limitKb = Math.floor(Number(memory) / 1024)
const [program = '', ...args] =
  limitKb > 0 && process.platform !== 'win32'
    ? ['/bin/sh', '-c', LIMITED, 'sh', String(limitKb), ...command]
    : command

try {
  setPriority(PRIORITY)
} catch {
  // This system has no process priorities.
}

// Kills the slicer, its children and this process.
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
