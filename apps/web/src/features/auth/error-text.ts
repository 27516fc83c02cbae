import { type ErrorCode, errorEntry } from '@pegasus/contracts/errors'
import { serverText } from '@/lib/i18n/server-texts.ts'

/** Returns the server's message for an error, in the person's language. */
export const errorText = (code: ErrorCode): string => serverText(errorEntry(code).message)
