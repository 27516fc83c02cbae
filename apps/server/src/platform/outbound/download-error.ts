import { CodedError } from '../errors/coded-error.ts'

export type DownloadFault = 'unreachable' | 'broke-off' | 'too-slow' | 'too-large' | 'encoded'

/** A download failed. The cause is for the log only. */
export class DownloadError extends CodedError {
  readonly code = 'DOWNLOAD_FAILED'
  readonly fault: DownloadFault

  constructor(fault: DownloadFault, options: { cause?: unknown } = {}) {
    super(`The download failed: ${fault}.`, options)
    this.fault = fault
  }
}
