import { StartupError } from '../startup-error.ts'

/** Message for the person who starts the product when its database cannot be used; never contains the password. */
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
      return 'no PostgreSQL server answers there; start it, or correct DATABASE_URL'
    case 'CONNECT_TIMEOUT':
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return 'it does not answer; check the network, or correct DATABASE_URL'
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'the name of its host is not known; correct DATABASE_URL'
    case '28P01':
    case '28000':
      return 'it refuses the user name or the password; correct DATABASE_URL'
    case '3D000':
      return 'it has no database of that name; create it, or correct DATABASE_URL'
    case '53300':
      return 'it has no free connection; raise its max_connections or close other programs'
    default:
      return messageOf(error).replace(/\.$/, '') || `error ${code}`
  }
}

/** The code of an error of PostgreSQL (five characters) or of the network; empty if it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

// The driver's own error objects may carry its options, the password among them.
function withoutSecrets(error: unknown): Error {
  return Object.assign(new Error(messageOf(error)), { code: codeOf(error) })
}
