import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { StartupError } from '../../startup-error.ts'

/** The account that runs PostgreSQL, which refuses to run as root. */
export interface PostgresAccount {
  /** The user id that must own PostgreSQL's files, as this process sees it. */
  uid: number
  gid: number
  spawn(command: string, args: readonly string[], stdio: StdioOptions): ChildProcess
  /** Returns the first folder on the way to `path` that the account cannot enter, or null. */
  blockedAt(path: string): Promise<string | null>
}

// Do not pass our environment to the database, because it may contain secrets.
const CLEAN_ENVIRONMENT = { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/local/bin:/usr/bin:/bin' }
const NOBODY = 65534

/**
 * Chooses the account. An ordinary user runs PostgreSQL under their own account. Root runs it as `postgres`
 * or else as `nobody`. If neither can reach the folders, root runs it inside a user namespace. Throws
 * StartupError, which names the inaccessible folder, if that fails too.
 */
export async function choosePostgresAccount(folders: {
  binaries: string
  data: string
}): Promise<PostgresAccount> {
  const uid = process.getuid?.() ?? 0
  if (uid !== 0) return ownAccount(uid, process.getgid?.() ?? 0)
  const account = await findUnprivilegedAccount()
  const blocked =
    account && ((await account.blockedAt(folders.binaries)) ?? (await account.blockedAt(folders.data)))
  if (account && !blocked) return account
  const inNamespace = namespaceAccount()
  if (await canRun(inNamespace, `${folders.binaries}/bin/postgres`)) return inNamespace
  throw new StartupError(
    blocked
      ? `PostgreSQL does not run as root, and other accounts may not enter ${blocked}: run "chmod o+x ${blocked}", set DATA_DIR to a folder elsewhere, start as an ordinary user, or set DATABASE_URL.`
      : 'PostgreSQL does not run as root, and there is neither an account "postgres" nor "nobody": start as an ordinary user, or set DATABASE_URL.',
  )
}

function ownAccount(uid: number, gid: number): PostgresAccount {
  return { uid, gid, spawn: spawnDetached, blockedAt: async () => null }
}

async function findUnprivilegedAccount(): Promise<PostgresAccount | null> {
  const lines = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n')
  for (const name of ['postgres', 'nobody']) {
    const fields = lines.find((line) => line.startsWith(`${name}:`))?.split(':')
    // Some systems write the id of `nobody` as -2, which has the same 32 bits as 4294967294.
    const uid = Number(fields?.[2]) >>> 0
    const gid = Number(fields?.[3]) >>> 0
    if (uid === 0) continue
    return {
      uid,
      gid,
      spawn: (command, args, stdio) => spawnDetached(command, args, stdio, { uid, gid }),
      blockedAt: (path) => firstBlocked(path, uid, gid),
    }
  }
  return null
}

/**
 * An account that is `nobody` inside a user namespace and root outside it, for folders that only root may
 * enter. Linux only.
 */
function namespaceAccount(): PostgresAccount {
  const prefix = ['--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`]
  return {
    uid: 0,
    gid: 0,
    spawn: (command, args, stdio) => spawnDetached('unshare', [...prefix, command, ...args], stdio),
    blockedAt: async () => null,
  }
}

async function canRun(account: PostgresAccount, postgres: string): Promise<boolean> {
  if (process.platform !== 'linux') return false
  const child = account.spawn(postgres, ['--version'], 'ignore')
  return new Promise((resolve) => {
    child.once('error', () => resolve(false))
    child.once('exit', (code) => resolve(code === 0))
  })
}

// The process is detached, because Ctrl-C in the terminal must not end the database before the server has finished its
// requests.
function spawnDetached(
  command: string,
  args: readonly string[],
  stdio: StdioOptions,
  owner: { uid?: number; gid?: number } = {},
): ChildProcess {
  return spawn(command, args, { ...owner, stdio, cwd: '/', detached: true, env: CLEAN_ENVIRONMENT })
}

async function firstBlocked(path: string, uid: number, gid: number): Promise<string | null> {
  const parents: string[] = []
  for (let folder = path; folder !== dirname(folder); folder = dirname(folder)) parents.unshift(folder)
  for (const folder of parents) {
    const found = await stat(folder)
    const bit = found.uid === uid ? 0o100 : found.gid === gid ? 0o010 : 0o001
    if ((found.mode & bit) === 0) return folder
  }
  return null
}
