import { DatabaseError } from 'pg'
import { StartupError } from '../../startup-error.ts'

/**
 * Explains to the person who starts the server why the database cannot be used. The message never contains the
 * password.
 */
export function explainConnectError(error: unknown, target: string): StartupError {
  return new StartupError(`The database ${target} cannot be used: ${reasonOf(error)}.`, {
    cause: withoutSecrets(error),
  })
}

function reasonOf(error: unknown): string {
  const code = codeOf(error)
  switch (code) {
    case 'ECONNREFUSED':
    case 'ENOENT':
      return 'no PostgreSQL server responds there; start it, or correct DATABASE_URL'
    case 'CONNECT_TIMEOUT':
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return 'it does not respond; check the network, or correct DATABASE_URL'
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'its host name cannot be resolved; correct DATABASE_URL'
    case '28P01':
    case '28000':
      return 'it refuses the user name or the password; correct DATABASE_URL'
    case '3D000':
      return 'it has no database with this name; create it, or correct DATABASE_URL'
    case '53300':
      return 'it has no free connection; raise its max_connections or close other programs'
    default:
      return messageOf(error).replace(/\.$/, '') || `error ${code}`
  }
}

/** Marks an error as one of a lost connection, so that it is not reported as a bug in the server. */
export function toQueryError(error: unknown): unknown {
  // Errors that PostgreSQL reports have their own code. A RangeError means that a value cannot be read, which is a bug
  // in the server.
  if (!(error instanceof Error) || error instanceof DatabaseError || error instanceof RangeError) return error
  return Object.assign(error, {
    isDatabase: true,
    ...(codeOf(error) === '' && { code: 'CONNECTION_CLOSED' }),
  })
}

/** Marks the error of a failed connection attempt, and gives it a code if it has none. */
export function toConnectError(error: unknown): unknown {
  if (!(error instanceof Error) || codeOf(error) !== '') return toQueryError(error)
  // The driver has no codes for a timeout and a closed connection, so compare its messages.
  const isTimeout = error.message === 'timeout expired'
  const isCut = error.message === 'Connection terminated unexpectedly'
  if (isCut) error.message = 'the database closed the connection without a response'
  return Object.assign(error, {
    isDatabase: true,
    code: isTimeout ? 'CONNECT_TIMEOUT' : isCut ? 'ECONNRESET' : 'CONNECTION_CLOSED',
  })
}

/** Returns the code of a PostgreSQL error (five characters) or of a network error, or an empty string. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

// The driver's own error objects may contain its options, including the password.
function withoutSecrets(error: unknown): Error {
  return Object.assign(new Error(messageOf(error)), { code: codeOf(error) })
}
