import { MINUTE_MS, SECOND_MS } from '../clock.ts'

/** The time limits of a call to a device in the shop's network, such as a printer. */
export interface DeviceLimits {
  /** How long the lookup of the device's name may take. */
  lookupMs: number
  /** The time limit of a whole call, not counting the upload of its body. */
  answerMs: number
  /** How long an upload may make no progress before it is aborted. */
  uploadPauseMs: number
  /** The time limit of an upload is this time, plus the time that its bytes take at `uploadBytesPerSecond`. */
  uploadBaseMs: number
  /** The lowest speed that is allowed for an upload. */
  uploadBytesPerSecond: number
  /** How long one poll of a network printer may take in total, not counting its uploads. */
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

/** Returns the time limit of an upload of this size, in milliseconds. */
export const uploadLimitMs = (
  { uploadBaseMs, uploadBytesPerSecond }: DeviceLimits,
  sizeBytes: number,
): number => Math.ceil(uploadBaseMs + (sizeBytes / uploadBytesPerSecond) * SECOND_MS)
