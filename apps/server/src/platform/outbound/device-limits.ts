import { SECOND_MS } from '../clock.ts'

/** The time limits of a call to a device in the shop's network, such as a printer. */
export interface DeviceLimits {
  /** How long the lookup of the device's name may take. */
  lookupMs: number
  /**
   * The time limit from the start of the call to the end of the response, not counting the upload of the
   * body.
   */
  answerMs: number
  /** How long an upload may make no progress. */
  uploadPauseMs: number
}

export const DEVICE_LIMITS: DeviceLimits = {
  lookupMs: 3 * SECOND_MS,
  answerMs: 10 * SECOND_MS,
  uploadPauseMs: 30 * SECOND_MS,
}
