import { AppError } from '../../../platform/errors/app-error.ts'

/**
 * Creates the error for a malformed request. Its body contains the text in `message`, as in Spoolman, and in
 * `detail`.
 */
export const malformed = (say: string): AppError =>
  new AppError('MALFORMED_REQUEST', { say, body: { message: say } })

/** Creates the error for a well-formed request in which a field breaks a rule. */
export const refuseField = (path: string, say: string): AppError =>
  new AppError('INVALID_INPUT', { say, errors: [{ path, message: say }], body: { message: say } })

export const notFound = (
  code: 'SPOOL_NOT_FOUND' | 'FILAMENT_NOT_FOUND' | 'VENDOR_NOT_FOUND',
  what: string,
  number: number,
): AppError => new AppError(code, { body: { message: `No ${what} with ID ${number} found.` } })
