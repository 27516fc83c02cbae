import { ApiError } from '@/lib/http/api-error.ts'

/**
 * Returns the spool that a slot holds now, or null if it is empty, if a spool was not loaded because somebody else had
 * changed the slot. Returns undefined for any other error.
 */
export function spoolNowInSlot(error: unknown): string | null | undefined {
  if (!(error instanceof ApiError && error.status === 412)) return undefined
  const { filament_id: id } = error.body
  return typeof id === 'string' ? id : null
}
