import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hasErrorCode } from '../../storage/durable-files.ts'
import type { DatabaseConnection } from './embedded-postgres.ts'
import { DATABASE_NAME, DATABASE_USER, readPassword } from './postgres-cluster.ts'

/**
 * Finds the embedded database of a data folder if a server is using it now; otherwise returns null. The lines
 * of PostgreSQL's pid file are: the process id, the folder, the start time, the port, the folder of the
 * socket, and the address.
 */
export async function findRunningPostgres(dataDir: string): Promise<DatabaseConnection | null> {
  const [pid, , , port, socket, address] = await readLines(join(dataDir, 'postgres', 'postmaster.pid'))
  if (pid === undefined || port === undefined || !isAlive(Number(pid))) return null
  return {
    host: socket || address || '127.0.0.1',
    port: Number(port),
    user: DATABASE_USER,
    password: await readPassword(join(dataDir, 'secrets', 'postgres-password')),
    database: DATABASE_NAME,
  }
}

async function readLines(path: string): Promise<string[]> {
  try {
    return (await readFile(path, 'utf8')).split('\n').map((line) => line.trim())
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return []
    throw error
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: the process belongs to another account.
    return hasErrorCode(error, 'EPERM')
  }
}
