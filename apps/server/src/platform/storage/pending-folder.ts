import { randomUUID } from 'node:crypto'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { HOUR_MS } from '../clock.ts'
import { isRunning, ownIdentity, type ProcessIdentity } from '../process-identity.ts'
import type { ServiceLog } from '../log/service-log.ts'
import { makeFolder } from './durable-files.ts'
import type { PendingObject } from './object-storage.ts'
import { beginPendingFile, type Destination } from './pending-file.ts'

/** The folder for uploads in progress, which several processes may share. */
export interface PendingFolder {
  begin(destination: Destination): Promise<PendingObject>
  /**
   * Removes the files of dead processes, and other files to which nothing was written for an hour. Returns
   * the number of removed files.
   */
  sweep(): Promise<number>
}

/** Creates the folder if needed, and removes leftovers of dead processes before it returns. */
export async function openPendingFolder(folder: string, log: ServiceLog): Promise<PendingFolder> {
  await makeFolder(folder)
  const identity = await ownIdentity()
  const sweep = async () => {
    const count = await sweepFiles(folder)
    if (count > 0) log.info({ count }, 'removed unfinished uploads')
    return count
  }
  await sweep()
  return {
    begin: (destination) => beginPendingFile(join(folder, pendingName(identity)), destination),
    sweep,
  }
}

// The name contains the owner of the file, so that a sweep knows whether that process still runs.
function pendingName(owner: ProcessIdentity): string {
  return [owner.pid, owner.startedAt, owner.namespace, randomUUID()].map(encodeURIComponent).join('~')
}

function ownerOf(name: string): ProcessIdentity | null {
  const [pid, startedAt, namespace, id] = name.split('~').map(decodeURIComponent)
  return pid && startedAt && namespace && id ? { pid: Number(pid), startedAt, namespace } : null
}

async function sweepFiles(folder: string): Promise<number> {
  let count = 0
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const owner = ownerOf(name)
    const isDead = owner !== null && (await isRunning(owner)) === false
    if (!isDead && !(await isOlderThan(path, HOUR_MS))) continue
    await rm(path, { force: true })
    count += 1
  }
  return count
}

async function isOlderThan(path: string, ageMs: number): Promise<boolean> {
  const found = await stat(path).catch(() => null)
  return found !== null && Date.now() - found.mtimeMs > ageMs
}
