import type { ServiceLog } from './service-log.ts'

const QUIET_MS = 60_000
const MAX_MESSAGES = 100

/**
 * Logs a message at most once a minute. Otherwise each poll would log the same failure while the database is
 * unreachable.
 */
export function throttleLog(
  log: ServiceLog,
): (level: 'warn' | 'error', message: string, details: object) => void {
  const quietUntil = new Map<string, number>()
  return (level, message, details) => {
    const now = Date.now()
    if ((quietUntil.get(message) ?? 0) > now) return
    if (quietUntil.size >= MAX_MESSAGES) quietUntil.clear()
    quietUntil.set(message, now + QUIET_MS)
    log[level](details, message)
  }
}
