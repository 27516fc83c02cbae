import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { inject, onTestFinished } from 'vitest'
import { cleanEnvironment } from '../../../../scripts/lib/environment.ts'
import {
  type ClusterProcess,
  findClusterProcesses,
} from '../../src/platform/database/embedded/cluster-processes.ts'

/** Whether this is the long run (`npm run test:long`), in which tests have their full numbers of cases. */
export const isLongRun = process.env['PEGASUS_LONG'] === '1'

export const OWNER = { username: 'owner', password: 'Quiet-Harbour-27-Lantern' } as const

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const FOLLOW_PARENT = new URL('../../../../scripts/boot/follow-parent.mjs', import.meta.url).href
/**
 * Time limit of each step of a start, in ms. The server itself waits up to five minutes for its database to recover
 * from a kill (`READY_MS` in `postmaster.ts`), so the long run must not give up earlier.
 */
const START_MS = isLongRun ? 300_000 : 120_000
const POLL_MS = 10

/** The exit code and signal of a process. Both are null while it runs. */
export interface Ending {
  code: number | null
  signal: NodeJS.Signals | null
}

/** The real product, in its own process and process group. */
export interface ProductProcess {
  url: string
  pid: number
  dataDir: string
  child: ChildProcess
  /** Time from the start of the process until the server was ready, in ms. */
  startMs: number
  ended: Promise<Ending>
  /** Returns everything that the process has printed so far. */
  readOutput(): string
  /** Sends a signal to this process only. */
  signal(name: NodeJS.Signals): void
  /** Sends a signal to the whole process group. */
  signalGroup(name: NodeJS.Signals): void
  isReady(): Promise<boolean>
}

/**
 * Creates a folder for the data of a server. It is removed when the test ends, together with every database process
 * that still uses it.
 */
export async function makeDataFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pegasus-process-'))
  // If the test runs as root, PostgreSQL runs under another account, which must be able to enter this folder.
  await chmod(folder, 0o755)
  const dataDir = join(folder, 'data')
  onTestFinished(async () => {
    for (const { pid } of await databaseProcesses(dataDir)) sendSignal(pid, 'SIGKILL')
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  })
  return dataDir
}

/** The data of a server that has been started once, from which new data folders are copied. */
let startedData: Promise<string> | null = null

/**
 * Fills a data folder with the data of a server that has been started once. This is cheaper than starting a server on
 * an empty folder, because the database already has all migrations. A test of the first start sets the password itself.
 */
async function fillDataFolder(dataDir: string): Promise<void> {
  const source = await (startedData ??= startOnce())
  // `-a` keeps the owners of the files, because the files of the database belong to PostgreSQL's account.
  await promisify(execFile)('cp', ['-a', source, dataDir])
}

async function startOnce(): Promise<string> {
  const folder = join(inject('postgres').folder, `started-${process.pid}`)
  await mkdir(folder)
  const dataDir = join(folder, 'data')
  const { child, ended } = await awaitReady(dataDir, launchProduct(dataDir))
  child.kill('SIGTERM')
  const { code } = await ended
  if (code !== 0) throw new Error(`The product ended with ${code}.`)
  return dataDir
}

/** Lists the processes that are using the database of a data folder now. */
export async function databaseProcesses(dataDir: string): Promise<ClusterProcess[]> {
  const folder = await realpath(join(dataDir, 'postgres')).catch(() => null)
  return folder === null ? [] : findClusterProcesses(folder, 'unknown')
}

/** Reads the process id of the database server from its pid file. */
export async function postmasterOf(dataDir: string): Promise<number> {
  return Number((await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0])
}

/**
 * Sends a signal to a process, or to a process group if the id is negative. It is not an error if the process
 * has already ended.
 */
export function sendSignal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

/**
 * Starts the server without waiting until it is ready. If it is still running when the test ends, it is killed. `main`
 * is the entry point of another version. `within` is a command that runs the command in its arguments.
 */
export function launchProduct(
  dataDir: string,
  variables: Record<string, string> = {},
  main = MAIN,
  within: readonly string[] = [],
): { child: ChildProcess; readOutput(): string; ended: Promise<Ending> } {
  const [program, ...args] = [...within, process.execPath, '--import', FOLLOW_PARENT, main]
  const child = spawn(program, args, {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: cleanEnvironment({
      DATA_DIR: dataDir,
      PORT: '0',
      // Tokens contain this URL, so it must stay the same after a restart.
      PUBLIC_URL: 'http://localhost:3000',
      OWNER_USERNAME: OWNER.username,
      OWNER_PASSWORD: OWNER.password,
      REQUESTS_PER_SECOND: '100000',
      TRUSTED_PROXIES: '127.0.0.1',
      LOG_LEVEL: 'warn',
      ...variables,
    }),
  })
  let output = ''
  const collect = (chunk: Buffer) => {
    output += chunk.toString('utf8')
  }
  child.stdout?.on('data', collect)
  child.stderr?.on('data', collect)
  const ended = once(child, 'exit').then(([code, signal]) => ({ code, signal }) as Ending)
  onTestFinished(async () => {
    if (child.pid !== undefined) sendSignal(-child.pid, 'SIGKILL')
    await ended
  })
  return { child, readOutput: () => output, ended }
}

/**
 * Starts the server on a data folder and waits until it is ready. Throws an error with its output if it ends before
 * that. A new folder gets a copy of prepared data if the server uses the embedded database and the usual password.
 */
export async function startProduct(
  dataDir: string,
  variables: Record<string, string> = {},
  main = MAIN,
  within: readonly string[] = [],
): Promise<ProductProcess> {
  const isPlain = main === MAIN && !('DATABASE_URL' in variables) && !('OWNER_PASSWORD' in variables)
  if (isPlain && !existsSync(dataDir)) await fillDataFolder(dataDir)
  return awaitReady(dataDir, launchProduct(dataDir, variables, main, within))
}

async function awaitReady(
  dataDir: string,
  { child, readOutput, ended }: ReturnType<typeof launchProduct>,
): Promise<ProductProcess> {
  const startedAt = performance.now()
  const { pid } = child
  if (pid === undefined) throw new Error('The product could not be started.')
  const url = await untilListening(readOutput, child)
  const isReady = () => answersReady(url)
  if (!(await until(isReady, START_MS))) throw new Error(`The product is not ready:\n${readOutput()}`)
  return {
    url,
    pid,
    dataDir,
    child,
    startMs: performance.now() - startedAt,
    ended,
    readOutput,
    signal: (name) => sendSignal(pid, name),
    signalGroup: (name) => sendSignal(-pid, name),
    isReady,
  }
}

async function untilListening(readOutput: () => string, child: ChildProcess): Promise<string> {
  let url: string | undefined
  const isOver = await until(async () => {
    url = /listening on (http:\/\/[\d.:]+)\)/.exec(readOutput())?.[1]
    return url !== undefined || child.exitCode !== null || child.signalCode !== null
  }, START_MS)
  if (url === undefined)
    throw new Error(`The product ${isOver ? 'ended' : 'hung'} while starting:\n${readOutput()}`)
  return url
}

async function answersReady(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/readyz`)
    await response.arrayBuffer()
    return response.ok
  } catch {
    // The port is closed, so the server is not ready.
    return false
  }
}

/** Waits for a condition. Returns false if the time runs out first. */
export async function until(
  condition: () => Promise<boolean>,
  timeoutMs: number,
  pauseMs = POLL_MS,
): Promise<boolean> {
  for (const deadline = performance.now() + timeoutMs; ; await wait(pauseMs)) {
    if (await condition()) return true
    if (performance.now() >= deadline) return false
  }
}

/** Signs in and returns the tokens. */
export async function signIn(
  url: string,
  { username, password }: { username: string; password: string } = OWNER,
): Promise<{ access_token: string; refresh_token: string }> {
  const response = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  })
  if (response.status !== 200) throw new Error(`sign-in: ${response.status} ${await response.text()}`)
  return (await response.json()) as { access_token: string; refresh_token: string }
}

/** Returns whether the server does real work. `/readyz` is not enough, because its result may be a second old. */
export const canSignIn = (url: string): Promise<boolean> =>
  signIn(url).then(
    () => true,
    () => false,
  )

export const bearer = (token: string): { authorization: string } => ({ authorization: `Bearer ${token}` })
