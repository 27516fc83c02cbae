import { WRONG_KEY } from '@pegasus/contracts/print-queue/printer-key'
import type { DeviceCallError, DeviceFault } from '../../platform/outbound/device-fault.ts'
import { PrinterError } from './connector.ts'

const SENTENCES: Record<DeviceFault, string> = {
  address: 'The address of the printer cannot be found on the network.',
  unreachable: 'The printer does not respond. It may be switched off or disconnected.',
  'broke-off': 'The printer closed the connection before its response was complete.',
  'too-slow': 'The printer did not respond in time.',
  'too-large': 'The response of the printer is too long. Check that the address belongs to a printer.',
  encoded: 'The response of the printer is compressed, although the server did not request this.',
  redirected:
    'The printer redirects to another address, which is not followed. Enter the final address of the printer.',
}
const GARBAGE = 'The response of the printer is not valid. Check the kind of the printer and its address.'
const UNEXPECTED =
  'The server could not finish its last visit of this printer, because of an unexpected error. It tries again. The log of the server names the cause.'

/** Returns whether the printer could not be reached. If not, it responded, but in a wrong way. */
const isOffline = (fault: DeviceFault): boolean =>
  fault === 'address' || fault === 'unreachable' || fault === 'too-slow' || fault === 'broke-off'

/** Converts a failed call to an error with a readable message. */
export const networkError = (cause: DeviceCallError): PrinterError =>
  new PrinterError(isOffline(cause.fault) ? 'offline' : 'garbage', SENTENCES[cause.fault], {
    mayHaveHappened: cause.wasSent,
    cause,
  })

/** Creates the error for a printer that responded in an unknown form. */
export const garbageError = (cause?: unknown): PrinterError =>
  new PrinterError('garbage', GARBAGE, { mayHaveHappened: true, cause })

/** Creates the error for a printer that refuses the key. */
export const keyError = (): PrinterError => new PrinterError('key', WRONG_KEY, { mayHaveHappened: false })

/** Creates the error for a visit that failed for an unexpected reason, such as an answer that cannot be stored. */
export const unexpectedError = (cause: unknown): PrinterError =>
  new PrinterError('garbage', UNEXPECTED, { mayHaveHappened: true, cause })

/**
 * Statuses with which a printer refuses a file because its type is unknown or it is unreadable. 413 is not among them:
 * for PrusaLink it means full storage, and from a proxy it means the proxy's own limit.
 */
const FILE_FAULTS: ReadonlySet<number | string> = new Set([415, 422])

/** Replies of printers with full storage: status 507 of HTTP, and 452 and 552 of FTP. */
const FULL_STORAGE: ReadonlySet<number | string> = new Set([507, 452, 552])
/** Phrases with which printers and their operating systems report full storage, whatever the status. */
const SAYS_FULL =
  /no space left|(insufficient|not enough) (free )?(disk |storage )?(space|storage)|(disk|storage) (is )?full/i

const isStorageFull = (reason: string | null, status: number | string): boolean | 'perhaps' => {
  if (FULL_STORAGE.has(status) || SAYS_FULL.test(reason ?? '')) return true
  return status === 413 ? 'perhaps' : false
}

/**
 * Creates the error for a refused request. If the printer gave no reason, the message contains the status.
 * `isTransient` means that the printer may accept the same request later.
 */
export const refusedError = (
  reason: string | null,
  status: number | string,
  { mayHaveHappened, isTransient = false }: { mayHaveHappened: boolean; isTransient?: boolean },
): PrinterError =>
  new PrinterError(
    'refused',
    reason === null
      ? `The printer refused the request with status ${status}.`
      : `The printer refused the request: ${reason}`,
    {
      mayHaveHappened,
      isTransient,
      isFileFault: FILE_FAULTS.has(status),
      isStorageFull: isStorageFull(reason, status),
    },
  )
