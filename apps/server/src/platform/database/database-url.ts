import { StartupError } from '../startup-error.ts'

/** Address of a database without the password, and the driver's options to reach it. */
export interface DatabaseTarget {
  /** For example `db.example.com:5432/pegasus`. */
  label: string
  url: string
  /** The folder of a Unix socket, if the address names one. */
  socketFolder: string | null
}

/** Reads a `postgres://` address. Throws StartupError, without the password, for anything else. */
export function parseDatabaseUrl(text: string): DatabaseTarget {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !['postgres:', 'postgresql:'].includes(url.protocol)) {
    throw new StartupError(
      'DATABASE_URL does not hold the address of a PostgreSQL database; it should look like postgres://user:password@host:5432/database.',
    )
  }
  // As in libpq, `?host=/run/postgresql` names the folder of the socket.
  const host = url.searchParams.get('host')
  url.searchParams.delete('host')
  const socketFolder = host?.startsWith('/') ? host : null
  const label = `${socketFolder ?? url.host}/${decodeURIComponent(url.pathname.slice(1))}`
  return { label, url: url.href, socketFolder }
}
