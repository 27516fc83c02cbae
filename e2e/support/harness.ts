import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  chmodSync,
  createWriteStream,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { inProject } from '../../scripts/boot/project.mjs'
import { cleanEnvironment } from '../../scripts/lib/environment.ts'
import { ensureWebBuilt } from '../../scripts/web/ensure-built.ts'

/** The first account of every new product. */
export const OWNER = {
  email: 'owner@pegasus.local',
  username: 'owner',
  password: 'Quiet-Harbour-27-Lantern',
} as const

const START_TIMEOUT_MS = 180_000
const STOP_TIMEOUT_MS = 15_000

export interface Product {
  url: string
  /** Returns the output so far. */
  readOutput(): string
  /** Stops the server like a service manager. Throws if it does not stop or exits with an error. */
  stop(): Promise<void>
}

/** The name of the environment variable with the folder of prepared data, which each new product copies. */
const NEW_DATA = 'E2E_NEW_DATA'

/** Playwright calls this once before all tests, and calls the returned function after them. */
export default async function prepareAllTests(): Promise<() => void> {
  await ensureWebBuilt()
  const folder = makeFolder('pegasus-e2e-new-')
  const dataDir = join(folder, 'data')
  const product = await startProduct({ DATA_DIR: dataDir })
  await product.stop()
  writeLessToDisk(dataDir)
  process.env[NEW_DATA] = dataDir
  return () => rmSync(folder, { recursive: true, force: true })
}

/** Makes PostgreSQL write without waiting for the disk, because no test cuts the power. */
function writeLessToDisk(dataDir: string): void {
  const [settings] = globSync('**/postgresql.auto.conf', { cwd: dataDir })
  if (!settings) throw new Error(`No settings of PostgreSQL are in ${dataDir}.`)
  appendFileSync(join(dataDir, settings), "fsync = 'off'\nfull_page_writes = 'off'\n")
}

/** Creates a new temporary folder. */
export function makeFolder(prefix: string): string {
  const folder = mkdtempSync(join(tmpdir(), prefix))
  // If root runs the tests, PostgreSQL runs under another account, which must have access to this folder.
  chmodSync(folder, 0o755)
  return folder
}

/**
 * Copies prepared data into the data folder of a product. This is cheaper than a first start, because the database
 * already has all migrations. A product with another owner password or an external database does not get a copy.
 */
function copyNewData({ DATA_DIR, OWNER_PASSWORD, DATABASE_URL }: Record<string, string>): void {
  const newData = process.env[NEW_DATA]
  if (!newData || !DATA_DIR || OWNER_PASSWORD !== OWNER.password || DATABASE_URL || existsSync(DATA_DIR))
    return
  // `-a` keeps the owners of the files, because the files of the database belong to PostgreSQL's account.
  execFileSync('cp', ['-a', newData, DATA_DIR])
}

/** Starts the real product: the built web app, the server as `npm start` runs it, and a new database. */
export async function startProduct(env: Record<string, string> = {}): Promise<Product> {
  const folder = makeFolder('pegasus-e2e-')
  const port = env['PORT'] ? Number(env['PORT']) : await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const logFile = inProject('.cache', 'tests', `product-${port}.log`)
  const variables = {
    HOST: '127.0.0.1',
    PORT: String(port),
    PUBLIC_URL: url,
    DATA_DIR: join(folder, 'data'),
    OWNER_EMAIL: OWNER.email,
    OWNER_USERNAME: OWNER.username,
    OWNER_PASSWORD: OWNER.password,
    ...env,
  }
  copyNewData(variables)
  const server = startServer(logFile, variables)
  const stop = async () => {
    await endServer(server, logFile)
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await waitUntilReady(url, server, logFile)
  } catch (error) {
    server.kill('SIGKILL')
    throw error
  }
  return { url, readOutput: () => readFileSync(logFile, 'utf8'), stop }
}

function startServer(logFile: string, env: Record<string, string>): ChildProcess {
  mkdirSync(inProject('.cache', 'tests'), { recursive: true })
  const followParent = new URL('../../scripts/boot/follow-parent.mjs', import.meta.url).href
  const server = spawn(process.execPath, ['--import', followParent, inProject('apps/server/src/main.ts')], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: cleanEnvironment(env),
  })
  const log = createWriteStream(logFile)
  server.stdout?.pipe(log, { end: false })
  server.stderr?.pipe(log, { end: false })
  return server
}

async function waitUntilReady(url: string, server: ChildProcess, logFile: string): Promise<void> {
  for (const deadline = Date.now() + START_TIMEOUT_MS; Date.now() < deadline; await sleep(50)) {
    if (server.exitCode !== null) throw new Error(`The product ended while starting:\n${lastLines(logFile)}`)
    if (await isReady(url)) return
  }
  throw new Error(`The product was not ready after ${START_TIMEOUT_MS / 1000} s:\n${lastLines(logFile)}`)
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/readyz`)).ok
  } catch {
    // The port is not open yet.
    return false
  }
}

async function endServer(server: ChildProcess, logFile: string): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) {
    throw new Error(`The product had ended before the tests did:\n${lastLines(logFile)}`)
  }
  const ended = once(server, 'exit')
  server.kill('SIGTERM')
  const inTime = await Promise.race([ended.then(() => true), sleep(STOP_TIMEOUT_MS, false, { ref: false })])
  if (!inTime) {
    server.kill('SIGKILL')
    throw new Error(
      `The product did not stop within ${STOP_TIMEOUT_MS / 1000} s of SIGTERM:\n${lastLines(logFile)}`,
    )
  }
  if (server.exitCode !== 0) {
    throw new Error(`The product ended with ${server.exitCode ?? server.signalCode}:\n${lastLines(logFile)}`)
  }
}

function lastLines(file: string): string {
  return readFileSync(file, 'utf8').trim().split('\n').slice(-40).join('\n')
}

export async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  if (address === null || typeof address === 'string') throw new Error('No free port')
  return address.port
}
