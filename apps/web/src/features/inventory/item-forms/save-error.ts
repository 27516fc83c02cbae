import { ApiError } from '@/lib/http/api-error.ts'

/** The specification fixes this text for every failed save. */
export const SAVE_FAILED = 'Failed to save inventory item. Please try again.'

/**
 * The server reports a duplicate SKU by its error code only. This moves the error to the SKU field; other errors are
 * returned unchanged.
 */
export function moveErrorToField(error: unknown): unknown {
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
