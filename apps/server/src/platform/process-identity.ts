import { execFile } from 'node:child_process'
import { readFile, readlink } from 'node:fs/promises'
import { hostname } from 'node:os'
import { promisify } from 'node:util'

/** Identifies a process. A later process with the same process id has another identity. */
export interface ProcessIdentity {
  pid: number
  /** An opaque string that differs between two processes with the same id. */
  startedAt: string
  /** The container or machine in which the process id is valid. A restart of the machine begins a new namespace. */
  namespace: string
}

const run = promisify(execFile)

/**
 * Returns an opaque string for the start of the process with this id, or null if there is no such process. A zombie
 * counts as ended, because it holds no resources and may stay in a container forever.
 */
export async function processStartedAt(pid: number): Promise<string | null> {
  if (!Number.isSafeInteger(pid) || pid <= 0) return null
  return process.platform === 'linux' ? startedAtFromProc(pid) : startedAtFromPs(pid)
}

async function startedAtFromProc(pid: number): Promise<string | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => null)
  if (stat === null) return null
  // The second field is the program's name in parentheses. The name may itself contain parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const isGone = fields[0] === 'Z' || fields[0] === 'X'
  return isGone ? null : (fields[19] ?? null)
}

async function startedAtFromPs(pid: number): Promise<string | null> {
  const env = { LC_ALL: 'C', PATH: '/usr/bin:/bin' }
  const answer = await run('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { env }).catch(() => null)
  const line = answer?.stdout.trim()
  return !line || line.startsWith('Z') ? null : line.replace(/^\S+\s+/, '').replace(/\s+/g, '_')
}

/** Returns the identity of this process. */
export async function ownIdentity(): Promise<ProcessIdentity> {
  const startedAt = await processStartedAt(process.pid)
  return { pid: process.pid, startedAt: startedAt ?? 'unknown', namespace: await processNamespace() }
}

async function processNamespace(): Promise<string> {
  const bootId = await readFile('/proc/sys/kernel/random/boot_id', 'latin1').catch(() => hostname())
  const pidNamespace = await readlink('/proc/self/ns/pid').catch(() => '')
  return `${bootId.trim()}${pidNamespace.replace(/\D+/g, '-')}`
}

/** Whether the process still runs. Null if that cannot be checked from this machine or container. */
export async function isRunning(identity: ProcessIdentity): Promise<boolean | null> {
  if (identity.namespace !== (await processNamespace())) return null
  return (await processStartedAt(identity.pid)) === identity.startedAt
}
