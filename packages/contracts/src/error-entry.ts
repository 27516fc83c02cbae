/** How one failure is told. */
export interface ErrorEntry {
  status: number
  message: string
  /** Stands on the wire where a program must tell failures apart. */
  code?: string
  /** The same failure in the dialect of the hosted auth service, whose client compares these strings. */
  hosted?: { status: number; code: string; message: string }
}

export const hosted = (status: number, code: string, message: string) => ({ status, code, message })
