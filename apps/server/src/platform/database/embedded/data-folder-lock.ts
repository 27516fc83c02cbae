import { createHash } from 'node:crypto'
import { readFile, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { isRunning, ownIdentity, type ProcessIdentity } from '../../process-identity.ts'
import type { ServiceLog } from '../../log/service-log.ts'
import { StartupError } from '../../startup-error.ts'
import { createFileOnce } from '../../storage/durable-files.ts'

/**
 * A lock that is held until the process ends. Two processes on one data folder would destroy each other's
 * work.
 */
export interface DataFolderLock {
  release(): Promise<void>
}

const BEAT_MS = 2_000
// The time after which a lock without a heartbeat is taken over: five heartbeats. It matters only if the owner ran in
// another container or on another machine, and did not release the lock.
const FOREIGN_SILENCE_MS = 10_000
const MAX_TRIES = 100
const RETRY_MS = 20

/**
 * Acquires the lock of a data folder. The lock of a dead process is taken over. If the holder cannot be
 * checked from here, the lock is taken over after `foreignSilenceMs` without a heartbeat. Throws StartupError
 * if another process holds it.
 */
export async function lockDataFolder(
  folder: string,
  log: ServiceLog,
  foreignSilenceMs = FOREIGN_SILENCE_MS,
): Promise<DataFolderLock> {
  const path = join(folder, 'pegasus.lock')
  const mine = JSON.stringify(await ownIdentity())
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    if (await createFileOnce(path, mine)) return holdLock(path, mine, log)
    const found = await readFile(path, 'utf8').catch(() => null)
    if (found === null) continue
    const owner = parseOwner(found)
    if (await isHeld(path, owner, foreignSilenceMs, log)) throw inUse(folder, owner)
    if (await takeOver(path, found, mine)) return holdLock(path, mine, log)
    await wait(RETRY_MS)
  }
  throw inUse(folder, null)
}

function inUse(folder: string, owner: ProcessIdentity | null): StartupError {
  const who = owner ? `another Pegasus Ops process (${owner.pid})` : 'another Pegasus Ops process'
  return new StartupError(
    `The data folder ${folder} is in use by ${who}: stop that one first, or set DATA_DIR to another folder.`,
  )
}

function holdLock(path: string, mine: string, log: ServiceLog): DataFolderLock {
  const timer = setInterval(() => {
    const now = new Date()
    utimes(path, now, now).catch((error: unknown) =>
      log.error({ err: error }, 'the lock of the data folder is gone'),
    )
  }, BEAT_MS)
  timer.unref()
  return {
    async release() {
      clearInterval(timer)
      // Remove only our own lock. Another process may have taken it over while this process was suspended.
      if ((await readFile(path, 'utf8').catch(() => null)) === mine) await rm(path, { force: true })
    },
  }
}

function parseOwner(text: string): ProcessIdentity | null {
  try {
    const { pid, startedAt, namespace } = JSON.parse(text)
    return typeof pid === 'number' && startedAt && namespace ? { pid, startedAt, namespace } : null
  } catch {
    // The file is damaged or not ours, so the heartbeat decides whether the lock is stale.
    return null
  }
}

async function isHeld(
  path: string,
  owner: ProcessIdentity | null,
  silenceMs: number,
  log: ServiceLog,
): Promise<boolean> {
  const running = owner && (await isRunning(owner))
  if (running !== null) return running
  log.info(
    { path },
    'the data folder was last used in another container or machine; waiting for a sign of life',
  )
  const before = await beatOf(path)
  for (const until = Date.now() + silenceMs; Date.now() < until; await wait(250)) {
    if ((await beatOf(path)) !== before) return true
  }
  return false
}

async function beatOf(path: string): Promise<number | null> {
  const found = await stat(path).catch(() => null)
  return found && found.mtimeMs
}

/**
 * Replaces a stale lock with ours. Returns false if another process was faster. The processes compete by creating the
 * same successor file, whose name contains a hash of the stale lock. The successor file then becomes the lock.
 */
async function takeOver(path: string, stale: string, mine: string): Promise<boolean> {
  const successor = `${path}.after-${createHash('sha256').update(stale).digest('hex').slice(0, 16)}`
  if (!(await createFileOnce(successor, mine))) {
    const other = parseOwner(await readFile(successor, 'utf8').catch(() => ''))
    // If the other process was killed before its rename, nobody else would remove its successor file.
    if (other && (await isRunning(other)) === false) await rm(successor, { force: true })
    return false
  }
  // Another process may have taken over this lock before we began.
  if ((await readFile(path, 'utf8').catch(() => null)) !== stale) {
    await rm(successor, { force: true })
    return false
  }
  await rename(successor, path)
  return true
}
