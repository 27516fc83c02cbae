import { AppError } from '../../../platform/errors/app-error.ts'

/** Error for a malformed request. `message` contains Spoolman's own text, `detail` ours. */
export const malformed = (say: string): AppError =>
  new AppError('MALFORMED_REQUEST', { say, body: { message: say } })

/** Error for a well-formed request whose field breaks a rule. */
export const refuseField = (path: string, say: string): AppError =>
  new AppError('INVALID_INPUT', { say, errors: [{ path, message: say }], body: { message: say } })

export const notFound = (
  code: 'SPOOL_NOT_FOUND' | 'FILAMENT_NOT_FOUND' | 'VENDOR_NOT_FOUND',
  what: string,
  number: number,
): AppError => new AppError(code, { body: { message: `No ${what} with ID ${number} found.` } })
