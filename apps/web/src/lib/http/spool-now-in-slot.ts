import { ApiError } from '@/lib/http/api-error.ts'

/**
 * Reads the error of an attempt to load a spool. If the server refused it because somebody else had changed the slot,
 * returns the spool that the slot holds now, or null for an empty slot. Returns undefined for any other error.
 */
export function spoolNowInSlot(error: unknown): string | null | undefined {
  if (!(error instanceof ApiError && error.status === 412)) return undefined
  const { filament_id: id } = error.body
  return typeof id === 'string' ? id : null
}
