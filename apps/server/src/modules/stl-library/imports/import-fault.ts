import { errorEntry } from '@pegasus/contracts/errors'
import { toAppError } from '../../../platform/errors/to-app-error.ts'
import { DownloadError, type DownloadFault } from '../../../platform/outbound/download-error.ts'

/**
 * All network failures have the same message, because details would reveal facts about networks to which the person has
 * no access.
 */
const DOWNLOAD_SENTENCES: Readonly<Record<DownloadFault, string>> = {
  unreachable:
    'Nothing could be fetched from this address. Please check it, or download the file and choose it here.',
  'broke-off': 'The transfer was interrupted. Please try again.',
  'too-slow':
    'The other server sends too slowly. Please try again later, or download the file and choose it here.',
  'too-large': 'The file is larger than the upload limit.',
  encoded:
    'The other server sends the file compressed, which is not accepted. Please download the file and choose it here.',
}

/** Status codes of failures that would repeat for the same file. Other failures are worth another attempt. */
const FINAL = new Set([400, 403, 409, 413, 415, 422, 507])

/** Returns the message for people, or null for a server error that may be temporary. */
export function sentenceOf(error: unknown): string | null {
  if (error instanceof DownloadError) return DOWNLOAD_SENTENCES[error.fault]
  const { code, text: message } = toAppError(error)
  return FINAL.has(errorEntry(code).status) ? message : null
}

/** The message after the last attempt has failed. */
export const GIVEN_UP =
  'Something went wrong on our side. Please try again; if it happens again, tell an administrator.'
