import { chown, mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SOCKET_FOLDER_PREFIX } from './cluster-leftovers.ts'
import type { PostgresAccount } from './postgres-account.ts'

/** The address at which a server listens: a Unix socket in a private folder, or a loopback port. */
export interface Endpoint {
  host: string
  port: number
  close(): Promise<void>
}

const SOCKET_PORT = 5432
const LOOPBACK = '127.0.0.1'
// The path of a Unix socket (sockaddr_un) may have up to 104 bytes on macOS and 108 on Linux, including the
// final zero byte.
const MAX_SOCKET_PATH = 103

/** Opens an endpoint: a socket, or a port if the account can access no folder whose path is short enough. */
export async function openEndpoint(account: PostgresAccount, kind: 'socket' | 'loopback'): Promise<Endpoint> {
  const folder = kind === 'socket' ? await makeSocketFolder(account) : null
  if (folder === null) return { host: LOOPBACK, port: await freePort(), close: async () => undefined }
  return { host: folder, port: SOCKET_PORT, close: () => rm(folder, { recursive: true, force: true }) }
}

/** Returns the server settings for an endpoint. */
export function endpointArgs(endpoint: Endpoint): string[] {
  const isSocket = endpoint.host.startsWith('/')
  const settings = isSocket
    ? ['listen_addresses=', `unix_socket_directories=${endpoint.host}`, 'unix_socket_permissions=0700']
    : [`listen_addresses=${endpoint.host}`, 'unix_socket_directories=']
  return ['-p', String(endpoint.port), ...settings.flatMap((setting) => ['-c', setting])]
}

async function makeSocketFolder(account: PostgresAccount): Promise<string | null> {
  for (const parent of new Set([tmpdir(), '/tmp'])) {
    const longest = join(parent, `${SOCKET_FOLDER_PREFIX}XXXXXX`, `.s.PGSQL.${SOCKET_PORT}.lock`)
    // PostgreSQL would read a path with a comma as a list of two folders.
    if (Buffer.byteLength(longest) > MAX_SOCKET_PATH || parent.includes(',')) continue
    const isReachable = await account.blockedAt(parent).then(
      (blocked) => blocked === null,
      () => false,
    )
    if (!isReachable) continue
    const folder = await mkdtemp(join(parent, SOCKET_FOLDER_PREFIX)).catch(() => null)
    if (folder === null) continue
    // The folder is private from the start: mkdtemp creates it with mode 0700.
    if (process.getuid?.() === 0) await chown(folder, account.uid, account.gid)
    return folder
  }
  return null
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, LOOPBACK, resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
