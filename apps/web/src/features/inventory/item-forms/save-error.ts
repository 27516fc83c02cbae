import { ApiError } from '@/lib/http/api-error.ts'

/** In the specification's words, whatever failed. */
export const SAVE_FAILED = 'Failed to save inventory item. Please try again.'

/** A refusal that is about one field says so only in its code. */
export function atField(error: unknown): unknown {
  if (!(error instanceof ApiError) || error.errors.length > 0) return error
  if (error.code !== 'sku_taken') return error
  const { status, detail, code, requestId, message } = error
  return new ApiError({
    status,
    detail,
    otherwise: message,
    code,
    requestId,
    errors: [{ path: 'sku', message }],
    cause: error,
  })
}
