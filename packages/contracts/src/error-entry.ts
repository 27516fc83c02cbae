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

export const hosted = (status: number, code: string, message: string) => ({ status, code, message })

export const hostedStorage = (
  status: number,
  statusCode: string,
  error: string,
  code: string,
  message: string,
): HostedStorageWords => ({ status, statusCode, error, code, message })
