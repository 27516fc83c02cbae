import type { DeviceCallError, DeviceFault } from '../../platform/outbound/device-fault.ts'
import { PrinterError } from './connector.ts'

const SENTENCES: Record<DeviceFault, string> = {
  address: 'The address of the printer cannot be found in the network.',
  unreachable: 'The printer does not respond. It may be switched off or disconnected.',
  'broke-off': 'The printer ended the connection without a complete answer.',
  'too-slow': 'The printer did not answer in time.',
  'too-large': 'The answer of the printer is too long. Check that the address is that of a printer.',
  encoded: 'The answer of the printer is compressed, which was not asked for.',
  redirected:
    'The printer points to another address, which is not followed. Enter the address at which it answers itself.',
}
const GARBAGE = 'The answer of the printer makes no sense. Check the kind of the printer and its address.'
const WRONG_KEY = 'The printer refuses the key. Enter the key again.'

/** Whether the printer could not be reached, in contrast to a wrong response. */
const isOffline = (fault: DeviceFault): boolean =>
  fault === 'address' || fault === 'unreachable' || fault === 'too-slow' || fault === 'broke-off'

/** Converts a failed call to an error with a sentence for people. */
export const networkError = (cause: DeviceCallError): PrinterError =>
  new PrinterError(isOffline(cause.fault) ? 'offline' : 'garbage', SENTENCES[cause.fault], {
    mayHaveHappened: cause.wasSent,
    cause,
  })

/** The printer responded in an unknown form. */
export const garbageError = (cause?: unknown): PrinterError =>
  new PrinterError('garbage', GARBAGE, { mayHaveHappened: true, cause })

/** The printer refuses the key. */
export const keyError = (): PrinterError => new PrinterError('key', WRONG_KEY, { mayHaveHappened: false })

/** The printer refused a request. Without a reason of the printer, the sentence names its status. */
export const refusedError = (
  reason: string | null,
  status: number | string,
  { mayHaveHappened }: { mayHaveHappened: boolean },
): PrinterError =>
  new PrinterError(
    'refused',
    reason === null
      ? `The printer refused the request with status ${status}.`
      : `The printer refused the request: ${reason}`,
    { mayHaveHappened },
  )
