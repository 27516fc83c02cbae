import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { ServiceLog } from '../../log/service-log.ts'
import type { PostgresAccount } from './postgres-account.ts'
import { endsWithin } from '../../ends-within.ts'

/** A running PostgreSQL server. */
export interface Postmaster {
  pid: number
  /** Resolves with the exit status when the server process has ended. */
  exited: Promise<string>
  /**
   * Requests a clean stop, then an immediate stop. Returns false if the server is still running after both.
   */
  stop(): Promise<boolean>
}

/** The server ended before it was ready. `output` is its log. */
export class PostmasterFailed extends Error {
  readonly output: string
  constructor(output: string) {
    super('PostgreSQL ended before it was ready')
    this.output = output
  }
}

// Crash recovery replays the write-ahead log, which can take minutes after a large import.
const READY_MS = 300_000
const FAST_STOP_MS = 15_000
const IMMEDIATE_STOP_MS = 5_000

/**
 * Starts a server and waits until it accepts connections. The server ends soon after this process ends, for whatever
 * reason. Throws PostmasterFailed.
 */
export async function startPostmaster(options: {
  account: PostgresAccount
  postgres: string
  args: readonly string[]
  log: ServiceLog
}): Promise<Postmaster> {
  const child = options.account.spawn(options.postgres, options.args, ['ignore', 'ignore', 'pipe'])
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => resolve(code === null ? `signal ${signal}` : `code ${code}`))
  })
  if (child.pid === undefined) throw new PostmasterFailed(await exited)
  const watchdog = startWatchdog(child.pid)
  // End the watchdog with SIGKILL. If its input were closed, it would signal a process id that may now belong to
  // another program.
  const endWatchdog = exited.then(() => watchdog.kill('SIGKILL'))
  const ready = await waitUntilReady(child, exited, options.log)
  if (ready !== true) {
    child.kill('SIGKILL')
    await endWatchdog
    throw new PostmasterFailed(ready)
  }
  return { pid: child.pid, exited, stop: () => stopChild(child, exited) }
}

async function stopChild(child: ChildProcess, exited: Promise<string>): Promise<boolean> {
  const steps: Array<[NodeJS.Signals, number]> = [
    ['SIGINT', FAST_STOP_MS],
    ['SIGQUIT', IMMEDIATE_STOP_MS],
  ]
  for (const [signal, timeoutMs] of steps) {
    if (child.exitCode !== null || child.signalCode !== null) return true
    child.kill(signal)
    if (await endsWithin(exited, timeoutMs)) return true
  }
  return false
}

/**
 * Resolves with true when the server is ready, or with the server's output if it ended or took too long to
 * start.
 */
async function waitUntilReady(
  child: ChildProcess,
  exited: Promise<string>,
  log: ServiceLog,
): Promise<true | string> {
  if (!child.stderr) return 'no output'
  const said: string[] = []
  const lines = createInterface({ input: child.stderr })
  const ready = new Promise<true>((resolve) => {
    lines.on('line', (line) => {
      if (said.length < 200) said.push(line)
      log[/\b(FATAL|PANIC):/.test(line) ? 'warn' : 'debug']({ postgres: line }, 'postgres')
      if (line.includes('database system is ready to accept connections')) resolve(true)
    })
  })
  const drained = new Promise((resolve) => lines.once('close', resolve))
  const ended = exited.then((how) =>
    endsWithin(drained, 1_000).then(() => `${said.join('\n')}\n${said.length ? '' : how}`),
  )
  const timer = Promise.withResolvers<string>()
  const timeout = setTimeout(() => timer.resolve('it took too long to become ready'), READY_MS)
  try {
    return await Promise.race([ready, ended, timer.promise])
  } finally {
    clearTimeout(timeout)
  }
}

/**
 * Starts a shell that holds a pipe from this process. When this process ends, even by SIGKILL, the pipe closes and the
 * shell stops PostgreSQL.
 */
function startWatchdog(pid: number): ChildProcess {
  const script = 'read -r _; kill -INT "$0"'
  return spawn('/bin/sh', ['-c', script, String(pid)], {
    cwd: '/',
    detached: true,
    env: { PATH: '/usr/bin:/bin' },
    stdio: ['pipe', 'ignore', 'ignore'],
  })
}
