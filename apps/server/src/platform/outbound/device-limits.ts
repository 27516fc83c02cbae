import { MINUTE_MS, SECOND_MS } from '../clock.ts'

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
  /** How long an upload may take in all, in addition to the time for its bytes. */
  uploadBaseMs: number
  /** The lowest speed of an upload, from which the time for its bytes follows. */
  uploadBytesPerSecond: number
  /** How long a visit of a printer may take in all, in addition to its uploads. */
  visitMs: number
}

export const DEVICE_LIMITS: DeviceLimits = {
  lookupMs: 3 * SECOND_MS,
  answerMs: 10 * SECOND_MS,
  uploadPauseMs: 30 * SECOND_MS,
  uploadBaseMs: 2 * MINUTE_MS,
  uploadBytesPerSecond: 20_000,
  visitMs: 5 * MINUTE_MS,
}

/** Returns how long an upload of this size may take in all, in milliseconds. */
export const uploadLimitMs = (
  { uploadBaseMs, uploadBytesPerSecond }: DeviceLimits,
  sizeBytes: number,
): number => Math.ceil(uploadBaseMs + (sizeBytes / uploadBytesPerSecond) * SECOND_MS)
