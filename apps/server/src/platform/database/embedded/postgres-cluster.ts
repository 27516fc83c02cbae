import { randomBytes } from 'node:crypto'
import {
  chown,
  lchown,
  mkdir,
  readdir,
  readFile,
  realpath,
  rm,
  rmdir,
  stat,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import type { ServiceLog } from '../../log/service-log.ts'
import { StartupError } from '../../startup-error.ts'
import { createFileOnce, hasErrorCode, makeFolder, renameDurably } from '../../storage/durable-files.ts'
import type { PostgresAccount } from './postgres-account.ts'
import type { PostgresBinaries } from './postgres-binaries.ts'
import { runCommand } from './run-command.ts'

/** The application's database account. It owns its database and is not a superuser. */
export const DATABASE_USER = 'pegasus'
export const DATABASE_NAME = 'pegasus'

export interface Cluster {
  /** The real path. It is the working folder of the cluster's processes. */
  folder: string
  password: string
}

interface ClusterOptions {
  dataDir: string
  binaries: PostgresBinaries
  account: PostgresAccount
  /** Whether to wait until a new cluster is flushed to disk. Tests do not need that. */
  sync: boolean
  log: ServiceLog
}

/**
 * Returns the cluster in the folder `postgres` of the data folder, and creates it on the first start. A new
 * cluster is created in another folder and renamed when it is complete, so that an interrupted first start
 * can be repeated. Throws StartupError if the cluster has another version or its password is missing.
 */
export async function ensureCluster(options: ClusterOptions): Promise<Cluster> {
  const folder = join(options.dataDir, 'postgres')
  const unfinished = join(options.dataDir, 'postgres.unfinished')
  const passwordFile = join(options.dataDir, 'secrets', 'postgres-password')
  await rm(unfinished, { recursive: true, force: true })
  const version = await readVersion(folder)
  if (version === null) {
    const password = await createPassword(passwordFile)
    await makeCluster(options, unfinished, password)
    await renameDurably(join(unfinished, 'cluster'), folder)
    await rm(unfinished, { recursive: true, force: true })
    return { folder: await realpath(folder), password }
  }
  if (version !== options.binaries.majorVersion)
    throw wrongVersion(folder, version, options.binaries.majorVersion)
  await giveTo(options.account, folder)
  return { folder: await realpath(folder), password: await readPassword(passwordFile) }
}

function wrongVersion(folder: string, found: string, ours: string): StartupError {
  return new StartupError(
    `The database in ${folder} was made by PostgreSQL ${found}, but this version of Pegasus Ops includes PostgreSQL ${ours}: back it up with the version that made it, and restore it into an empty data folder.`,
  )
}

/** Returns the major version of the cluster, or null if there is no cluster yet. */
async function readVersion(folder: string): Promise<string | null> {
  try {
    return (await readFile(join(folder, 'PG_VERSION'), 'utf8')).trim()
  } catch (error) {
    if (!hasErrorCode(error, 'ENOENT')) throw error
  }
  try {
    // An empty folder would block the rename. A folder with content is not ours to remove.
    await rmdir(folder)
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return null
    throw new StartupError(
      `The folder ${folder} holds files, but no database: move them away, or set DATA_DIR to another folder.`,
      {
        cause: error,
      },
    )
  }
  return null
}

async function createPassword(path: string): Promise<string> {
  await makeFolder(join(path, '..'))
  await createFileOnce(path, randomBytes(24).toString('base64url'))
  return readPassword(path)
}

/** Reads the application's database password. Throws StartupError if it cannot be read. */
export async function readPassword(path: string): Promise<string> {
  try {
    const password = (await readFile(path, 'utf8')).trim()
    if (/^[\w-]{16,}$/.test(password)) return password
  } catch (error) {
    throw new StartupError(
      `The password of the built-in database cannot be read from ${path}: restore the file from your backup.`,
      {
        cause: error,
      },
    )
  }
  throw new StartupError(
    `The file ${path} does not hold the password of the built-in database: restore it from your backup.`,
  )
}

async function makeCluster(
  { binaries, account, sync, log }: ClusterOptions,
  workFolder: string,
  password: string,
) {
  log.info('creating the database (first start only)')
  await mkdir(workFolder, { mode: 0o700 })
  const passwordFile = join(workFolder, 'password')
  // Discard the superuser's password, because the server never signs in as superuser.
  await writeFile(passwordFile, randomBytes(24).toString('base64url'), { mode: 0o600 })
  for (const path of [workFolder, passwordFile]) await chown(path, account.uid, account.gid)
  const cluster = join(workFolder, 'cluster')
  const initdb = [
    '-D',
    cluster,
    '-U',
    'postgres',
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
  ]
  const locale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  await runCommand(account, binaries.initdb, [...initdb, ...locale, ...(sync ? [] : ['--no-sync'])])
  const single = ['--single', '-D', cluster, '-c', 'exit_on_error=on', ...(sync ? [] : ['-F'])]
  // Single-user mode reads one statement per line. The password is base64url and needs no escaping.
  const statements = [
    `create role ${DATABASE_USER} login createdb password '${password}'`,
    `create database ${DATABASE_NAME} owner ${DATABASE_USER}`,
    'revoke connect on database postgres from public',
  ]
  await runCommand(account, binaries.postgres, [...single, 'template1'], `${statements.join('\n')}\n`)
}

/**
 * Gives the files to the current account. After a change between root, an ordinary user and a namespace, they
 * still belong to the former account.
 */
async function giveTo(account: PostgresAccount, folder: string): Promise<void> {
  const found = await stat(folder)
  if (found.uid === account.uid || process.getuid?.() !== 0) return
  for (const name of await readdir(folder, { recursive: true }))
    await lchown(join(folder, name), account.uid, account.gid)
  // Change the folder itself last, because the next start checks its owner.
  await lchown(folder, account.uid, account.gid)
}
