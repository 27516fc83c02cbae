import { ApiError } from '@/lib/http/api-error.ts'
import { t } from '@/lib/i18n/messages.ts'

/** The specification fixes this text for every failed save. */
export const SAVE_FAILED = t('Failed to save inventory item. Please try again.')

/**
 * Moves the error of a duplicate SKU to the SKU field, because the server reports it only by its code. Other errors are
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
