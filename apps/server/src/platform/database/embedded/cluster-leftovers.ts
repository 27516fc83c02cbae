import { readFile, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { processStartedAt } from '../../process-identity.ts'
import type { ServiceLog } from '../../log/service-log.ts'
import { StartupError } from '../../startup-error.ts'
import {
  type ClusterProcess,
  findClusterProcesses,
  signalProcess,
  waitUntilGone,
} from './cluster-processes.ts'

/** A custom setting that marks the processes of one cluster. */
export const OWNER_SETTING = 'pegasus.owner'
/** The prefix of our socket folders, by which leftover folders are recognized as ours. */
export const SOCKET_FOLDER_PREFIX = 'pegasus-pg-'

const FAST_SHUTDOWN_MS = 10_000
const IMMEDIATE_SHUTDOWN_MS = 3_000
const KILL_MS = 5_000

/**
 * Clears the leftovers of a killed run, so that the cluster can start: an orphaned postmaster, backends that
 * outlived their postmaster, a stale pid file, and unused socket folders. Throws StartupError if the owner of
 * the cluster is still running.
 */
export async function clearLeftovers(
  folder: string,
  clusterName: string,
  ownSocketFolder: string,
  log: ServiceLog,
): Promise<void> {
  const pidFile = (await readFile(join(folder, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')
  const survivors = await findClusterProcesses(folder, clusterName)
  if (survivors.length > 0) {
    const postmaster = survivors.find((one) => one.pid === Number(pidFile[0]))
    if (postmaster) await assertOwnerIsGone(folder, postmaster)
    log.warn(
      { processes: survivors.map((one) => one.pid) },
      'ending database processes that a killed run left behind',
    )
    await endProcesses(folder, clusterName, survivors, postmaster)
  }
  // No process uses the folder now. Remove the pid file, because its process id might belong to an unrelated
  // program by now.
  await rm(join(folder, 'postmaster.pid'), { force: true })
  const [, socketFolder = ''] = /unix_socket_directories=([^"]+)"/.exec(await readOptions(folder)) ?? []
  const isOfKilledRun =
    basename(socketFolder).startsWith(SOCKET_FOLDER_PREFIX) && socketFolder !== ownSocketFolder
  if (isOfKilledRun) await rm(socketFolder, { recursive: true, force: true })
}

/** Reads the command line of the last start. Unlike the pid file, it remains after a clean stop. */
async function readOptions(folder: string): Promise<string> {
  return readFile(join(folder, 'postmaster.opts'), 'utf8').catch(() => '')
}

async function assertOwnerIsGone(folder: string, postmaster: ClusterProcess): Promise<void> {
  const owner = new RegExp(`${OWNER_SETTING}=(\\d+):([^\\s"]+)`)
  const [, pid, startedAt] = owner.exec(await readOptions(folder)) ?? []
  if (pid === undefined) {
    throw new StartupError(
      `The database in ${folder} is in use by a PostgreSQL server (process ${postmaster.pid}) that Pegasus Ops did not start: stop that one first.`,
    )
  }
  if ((await processStartedAt(Number(pid))) === startedAt) {
    throw new StartupError(
      `The database in ${folder} is in use by another Pegasus Ops process (${pid}): stop that one first.`,
    )
  }
}

/**
 * Ends the processes of a cluster: first with a clean stop of the postmaster, then with an immediate stop, then with
 * SIGKILL.
 */
export async function endProcesses(
  folder: string,
  clusterName: string,
  processes: readonly ClusterProcess[],
  postmaster: ClusterProcess | undefined,
): Promise<void> {
  if (postmaster) {
    await signalProcess(postmaster, 'SIGINT')
    if (await waitUntilGone(processes, FAST_SHUTDOWN_MS)) return
  }
  const steps: Array<[NodeJS.Signals, number]> = [
    ['SIGQUIT', IMMEDIATE_SHUTDOWN_MS],
    ['SIGKILL', KILL_MS],
  ]
  for (const [signal, timeoutMs] of steps) {
    const left = await findClusterProcesses(folder, clusterName)
    await Promise.all(left.map((one) => signalProcess(one, signal)))
    if (await waitUntilGone(left, timeoutMs)) return
  }
  throw new StartupError(
    `Database processes that a killed run left behind in ${folder} do not end: restart the machine.`,
  )
}
