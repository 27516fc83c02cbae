import { CodedError } from '../errors/coded-error.ts'

/**
 * The reason why a call to a device failed. Its address is unknown or not allowed, its port is closed, the connection
 * was lost, or the response is late, too long, compressed, or a redirect.
 */
export type DeviceFault =
  | 'address'
  | 'unreachable'
  | 'broke-off'
  | 'too-slow'
  | 'too-large'
  | 'encoded'
  | 'redirected'

/** A call to a device failed. The cause is for the log only. */
export class DeviceCallError extends CodedError {
  readonly code = 'DEVICE_CALL_FAILED'
  readonly fault: DeviceFault
  /** Whether part of the request was sent, so that the device may have acted on it. */
  readonly wasSent: boolean

  constructor(fault: DeviceFault, { wasSent, cause }: { wasSent: boolean; cause?: unknown }) {
    super(`The call to the device failed: ${fault}.`, { cause })
    this.fault = fault
    this.wasSent = wasSent
  }
}
