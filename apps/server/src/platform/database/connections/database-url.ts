import type { ClientConfig } from 'pg'
import { parse, toClientConfig } from 'pg-connection-string'
import { StartupError } from '../../startup-error.ts'

/** The settings for reaching a database. */
export interface DatabaseTarget {
  /** The address without username or password, for example `db.example.com:5432/pegasus`. */
  label: string
  settings: ClientConfig
  /** Whether a server without TLS is accepted as well (`sslmode=prefer`). */
  isTlsOptional: boolean
}

/**
 * Parses a `postgres://` address with the parameters of libpq: `?host=/run/postgresql` is the folder of a
 * socket, and `sslmode` and `sslrootcert` define which servers are trusted. Throws StartupError for anything
 * else; its message never contains the password.
 */
export function parseDatabaseUrl(text: string): DatabaseTarget {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !['postgres:', 'postgresql:'].includes(url.protocol)) {
    throw new StartupError(
      'DATABASE_URL does not hold the address of a PostgreSQL database; it should look like postgres://user:password@host:5432/database.',
    )
  }
  const host = url.searchParams.get('host')
  const mode = url.searchParams.get('sslmode')
  // `allow` means: first try without TLS, then with TLS if the server refuses. The driver cannot do that, so
  // use `prefer`.
  if (mode === 'allow') url.searchParams.set('sslmode', 'prefer')
  url.searchParams.delete('uselibpqcompat')
  return {
    label: `${host?.startsWith('/') ? host : url.host}/${decodeURIComponent(url.pathname.slice(1))}`,
    settings: settingsOf(url.href),
    isTlsOptional: mode === 'allow' || mode === 'prefer',
  }
}

function settingsOf(address: string): ClientConfig {
  try {
    return toClientConfig(parse(address, { useLibpqCompat: true }))
  } catch (error) {
    // The message is safe: certificate errors name only their file, and address errors do not repeat the
    // address.
    const reason = error instanceof Error ? error.message : String(error)
    throw new StartupError(`DATABASE_URL cannot be used: ${reason.replace(/\.$/, '')}.`, { cause: error })
  }
}
