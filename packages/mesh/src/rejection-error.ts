import { type Rejection, type RejectionCode, reject } from './types.ts'

/**
 * Carries a rejection out of a reader's depths. It never leaves this package: `catchRejection` turns it into the value
 * that callers get. Any other error (a failing disk) is not the file's fault and is passed on.
 */
export class RejectionError extends Error {
  readonly rejection: Rejection

  constructor(code: RejectionCode, message: string) {
    super(message)
    this.name = 'RejectionError'
    this.rejection = reject(code, message)
  }
}

/** The result of `read`, or the reason why it rejected the file. */
export async function catchRejection<Answer>(read: () => Promise<Answer>): Promise<Answer | Rejection> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof RejectionError) return error.rejection
    throw error
  }
}

/** The reason of an error thrown by a reader of this package; null for any other error, such as a failing disk. */
export function rejectionOf(error: unknown): Rejection | null {
  return error instanceof RejectionError ? error.rejection : null
}

/** Advice for a person with a damaged file. */
export const EXPORT_AGAIN = 'Export the model again.'
