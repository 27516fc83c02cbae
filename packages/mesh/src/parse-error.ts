import { type Rejection, type RejectionCode, reject } from './types.ts'

/**
 * Carries a refusal out of the depths of a reader. It never leaves this package: `settle` turns it into the value that
 * callers get. Anything else that is thrown (a disk that fails) is not the file's fault and goes on.
 */
export class ParseError extends Error {
  readonly rejection: Rejection

  constructor(code: RejectionCode, message: string) {
    super(message)
    this.name = 'Refusal'
    this.rejection = reject(code, message)
  }
}

/** What `read` answers, or the reason why it refused. */
export async function catchRejection<Answer>(read: () => Promise<Answer>): Promise<Answer | Rejection> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof ParseError) return error.rejection
    throw error
  }
}

/** The reason in what a reader of this package threw; null where it is something else, such as a failing disk. */
export function rejectionOf(error: unknown): Rejection | null {
  return error instanceof ParseError ? error.rejection : null
}
