/** How one failure is told. */
export interface ErrorEntry {
  status: number
  message: string
  /** Stands on the wire where a program must tell failures apart. */
  code?: string
  /** The same failure in the dialect of the hosted auth service, whose client compares these strings. */
  hosted?: { status: number; code: string; message: string }
  /** The same failure in the dialect of the hosted storage service. */
  storage?: HostedStorageWords
  /** The same failure in the dialect of the hosted database service; without it, its status has words for it. */
  rest?: HostedRestWords
}

interface HostedRestWords {
  /** Of HTTP. */
  status: number
  /** PostgreSQL's own (SQLSTATE), or one of the service before it (`PGRST…`). */
  code: string
  message: string
  hint?: string
}

interface HostedStorageWords {
  /** Of HTTP. */
  status: number
  /** The meaningful status, as text. */
  statusCode: string
  error: string
  code: string
  message: string
}

export const hostedRest = (status: number, code: string, message: string): HostedRestWords => ({
  status,
  code,
  message,
})

export const hosted = (status: number, code: string, message: string) => ({ status, code, message })

export const hostedStorage = (
  status: number,
  statusCode: string,
  error: string,
  code: string,
  message: string,
): HostedStorageWords => ({ status, statusCode, error, code, message })
