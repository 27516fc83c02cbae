import { AppError } from '../../../platform/errors/app-error.ts'

/**
 * Creates the error for a malformed request. Its body contains the text in `message`, as in Spoolman, and in
 * `detail`.
 */
export const malformed = (message: string): AppError =>
  new AppError('MALFORMED_REQUEST', { text: message, body: { message } })

/** Creates the error for a well-formed request in which a field breaks a rule. */
export const refuseField = (path: string, message: string): AppError =>
  new AppError('INVALID_INPUT', { text: message, errors: [{ path, message }], body: { message } })

export const notFound = (
  code: 'SPOOL_NOT_FOUND' | 'FILAMENT_NOT_FOUND' | 'VENDOR_NOT_FOUND',
  what: string,
  number: number,
): AppError => new AppError(code, { body: { message: `No ${what} with ID ${number} found.` } })
