import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { inProject } from '../../scripts/boot/project.mjs'
import { cleanEnvironment } from '../../scripts/lib/environment.ts'
import { bearer, get, type SignedInAccount, signIn } from '../support/accounts.ts'
import { findFreePort } from '../support/harness.ts'

/** The owner of the demo. */
const EMAIL = 'owner@pegasus.local'
const PASSWORD = 'print-more-things'

/** Time limit of a start in ms. The first start fills the shop and draws all pictures. */
const START_TIMEOUT_MS = 15 * 60_000

export interface Demo {
  url: string
  owner: SignedInAccount
  stop(): Promise<void>
}

/** The address of a demo that is already running. If it is set, no demo is started. */
const RUNNING = process.env['SCREENS_URL']

async function meetOwner(url: string): Promise<SignedInAccount> {
  const owner = await signIn(url, 'owner', EMAIL, PASSWORD)
  await waitForPictures(url, owner)
  return owner
}

/** Starts the demo shop as `npm run demo` does, in its own folder, which is kept for the next run. */
export async function startDemo(): Promise<Demo> {
  if (RUNNING) return { url: RUNNING, owner: await meetOwner(RUNNING), stop: async () => undefined }
  const folder = inProject('.cache', 'screens')
  mkdirSync(folder, { recursive: true })
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const follow = new URL('../../scripts/boot/follow-parent.mjs', import.meta.url).href
  const server = spawn(process.execPath, ['--import', follow, inProject('scripts/commands/demo.ts')], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: cleanEnvironment({ PORT: String(port), PUBLIC_URL: url }),
  })
  await waitUntilReady(url, server)
  return {
    url,
    owner: await meetOwner(url),
    async stop() {
      const exit = once(server, 'exit')
      server.kill('SIGTERM')
      await exit
    },
  }
}

async function waitUntilReady(url: string, server: ChildProcess): Promise<void> {
  for (const deadline = Date.now() + START_TIMEOUT_MS; Date.now() < deadline; await sleep(250)) {
    if (server.exitCode !== null) throw new Error('The demo ended while starting')
    const response = await fetch(`${url}/readyz`).catch(() => null)
    if (response?.ok) return
  }
  throw new Error('The demo was not ready in time')
}

async function waitForPictures(url: string, owner: SignedInAccount): Promise<void> {
  for (const deadline = Date.now() + START_TIMEOUT_MS; Date.now() < deadline; await sleep(1000)) {
    const models = await get<{ analysis_status: string }[]>(`${url}/api/stl-files?limit=100`, bearer(owner))
    if (models.every(({ analysis_status: status }) => status !== 'pending')) return
  }
}
