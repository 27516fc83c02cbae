import { AppError } from '../../../platform/errors/app-error.ts'

/** Spoolman's own text is in `message`, ours in `detail`. */
export const malformed = (say: string): AppError =>
  new AppError('MALFORMED_REQUEST', { say, body: { message: say } })

/** Well-formed, but against a rule of the field. */
export const refuseField = (path: string, say: string): AppError =>
  new AppError('INVALID_INPUT', { say, errors: [{ path, message: say }], body: { message: say } })

export const notFound = (
  code: 'SPOOL_NOT_FOUND' | 'FILAMENT_NOT_FOUND' | 'VENDOR_NOT_FOUND',
  what: string,
  number: number,
): AppError => new AppError(code, { body: { message: `No ${what} with ID ${number} found.` } })
