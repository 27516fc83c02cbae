import { execFile } from 'node:child_process'
import { readdir, readFile, readlink } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { processStartedAt } from '../../process-identity.ts'

/** A PostgreSQL process that works in a particular cluster folder. */
export interface ClusterProcess {
  pid: number
  startedAt: string
}

const run = promisify(execFile)
const POLL_MS = 20

/**
 * Finds the processes of a cluster: its postmaster, and backends that outlived their postmaster. `folder`
 * must be the real path, and `clusterName` the name with which the cluster was started.
 */
export async function findClusterProcesses(folder: string, clusterName: string): Promise<ClusterProcess[]> {
  const pids =
    process.platform === 'linux' ? await pidsByWorkingFolder(folder) : await pidsByTitle(folder, clusterName)
  const found = await Promise.all(pids.map(async (pid) => ({ pid, startedAt: await processStartedAt(pid) })))
  return found.filter((one): one is ClusterProcess => one.startedAt !== null)
}

async function pidsByWorkingFolder(folder: string): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const matches = await Promise.all(
    pids.map(async (pid) => {
      // Both reads fail if the process has ended in the meantime or belongs to another user.
      const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => null)
      if (cwd !== folder && cwd !== `${folder} (deleted)`) return null
      const name = await readFile(`/proc/${pid}/comm`, 'latin1').catch(() => '')
      // Check the program's name, because a person's shell may have the same working folder.
      return name.trim() === 'postgres' ? Number(pid) : null
    }),
  )
  return matches.filter((pid) => pid !== null)
}

async function pidsByTitle(folder: string, clusterName: string): Promise<number[]> {
  const env = { LC_ALL: 'C', PATH: '/usr/bin:/bin' }
  const { stdout } = await run('ps', ['-axww', '-o', 'pid=,command='], { env, maxBuffer: 64 * 1024 * 1024 })
  return stdout
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(.*)$/.exec(line))
    .filter(
      (match) =>
        match?.[2]?.includes(`postgres: ${clusterName}:`) || match?.[2]?.includes(`postgres -D ${folder} `),
    )
    .map((match) => Number(match?.[1]))
}

/** Sends a signal to a process if its id still belongs to the same process. */
export async function signalProcess(target: ClusterProcess, signal: NodeJS.Signals): Promise<void> {
  if ((await processStartedAt(target.pid)) !== target.startedAt) return
  try {
    process.kill(target.pid, signal)
  } catch (error) {
    // ESRCH: the process ended after the check above.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

/** Waits until all processes are gone. Returns false on timeout. */
export async function waitUntilGone(targets: readonly ClusterProcess[], timeoutMs: number): Promise<boolean> {
  for (const until = Date.now() + timeoutMs; ; await wait(POLL_MS)) {
    const started = await Promise.all(targets.map((one) => processStartedAt(one.pid)))
    if (started.every((startedAt, index) => startedAt !== targets[index]?.startedAt)) return true
    if (Date.now() >= until) return false
  }
}
