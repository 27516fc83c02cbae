import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { open } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Scratch } from './scratch.ts'

const PRODUCT = fileURLToPath(new URL('../../apps/server/src/main.ts', import.meta.url))
/** The same flags as in the script `start` of package.json. */
const PRODUCT_FLAGS = ['--max-semi-space-size=8']
/** The owner account of every server that is started here. */
export const ACCOUNT = { username: 'bench', password: 'a decent passphrase' }

const BARE_SERVERS = {
  floor: new URL('../servers/floor.ts', import.meta.url),
  'bare-upload': new URL('../servers/bare-upload.ts', import.meta.url),
}

const READY_MS = 120_000
const POLL_MS = 5
const STOP_MS = 20_000

export interface ServerProcess {
  port: number
  pid: number
  /** Time from the start of the process to its first response, in milliseconds. */
  startMs: number
  stop(): Promise<void>
}

export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

/** Starts the server as it runs in production, with its log in a file. */
export function startProductProcess(
  scratch: Scratch,
  dataDir: string,
  variables: Record<string, string> = {},
): Promise<ServerProcess> {
  return startServer(scratch, [...PRODUCT_FLAGS, PRODUCT], {
    DATA_DIR: dataDir,
    OWNER_USERNAME: ACCOUNT.username,
    OWNER_PASSWORD: ACCOUNT.password,
    REQUESTS_PER_SECOND: '1000000',
    UPLOAD_LIMIT: '2GiB',
    ...variables,
  })
}

/** Starts one of the bare servers in `bench/servers`. */
export function startBareServer(
  scratch: Scratch,
  name: keyof typeof BARE_SERVERS,
  variables: Record<string, string>,
): Promise<ServerProcess> {
  return startServer(scratch, [fileURLToPath(BARE_SERVERS[name])], variables)
}

async function startServer(
  scratch: Scratch,
  args: string[],
  variables: Record<string, string>,
): Promise<ServerProcess> {
  const port = await findFreePort()
  const log = await open(join(scratch.folder, `server-${port}.log`), 'w')
  const startedAt = performance.now()
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', log.fd, 'inherit'],
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      NODE_COMPILE_CACHE: join(scratch.folder, 'compile'),
      PORT: String(port),
      ...variables,
    },
  })
  await log.close()
  const stop = () => stopProcess(child)
  scratch.onEnd(stop)
  await untilItAnswers(child, port)
  return { port, pid: child.pid!, startMs: performance.now() - startedAt, stop }
}

async function untilItAnswers(child: ChildProcess, port: number): Promise<void> {
  for (const until = Date.now() + READY_MS; Date.now() < until; await wait(POLL_MS)) {
    if (child.exitCode !== null) throw new Error(`${child.spawnargs.join(' ')} ended with ${child.exitCode}`)
    if (await answers(port)) return
  }
  await stopProcess(child)
  throw new Error(`${child.spawnargs.join(' ')} did not answer`)
}

export const answers = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/healthz`).then(
    (response) => response.ok,
    () => false,
  )

export async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
  await exited
  clearTimeout(timer)
}
