import { type Rejection, type RejectionCode, reject } from './types.ts'

/**
 * Ends nested readers at once and carries the rejection to `catchRejection`, which returns it as a value. It never
 * leaves this package. Other errors, such as disk errors, are not the file's fault and are passed on unchanged.
 */
export class RejectionError extends Error {
  readonly rejection: Rejection

  constructor(code: RejectionCode, message: string) {
    super(message)
    this.name = 'RejectionError'
    this.rejection = reject(code, message)
  }
}

/** Returns the result of `read`, or the reason why it rejected the file. */
export async function catchRejection<Answer>(read: () => Promise<Answer>): Promise<Answer | Rejection> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof RejectionError) return error.rejection
    throw error
  }
}

/**
 * Returns the rejection in an error that a reader of this package threw, or null for any other error, such as
 * a disk error.
 */
export function rejectionOf(error: unknown): Rejection | null {
  return error instanceof RejectionError ? error.rejection : null
}

/** Advice for a person with a damaged file. */
export const EXPORT_AGAIN = 'Export the model again.'
