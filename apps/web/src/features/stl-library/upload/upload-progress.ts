import { formatBytesOf } from '@/lib/format/bytes.ts'
import { t } from '@/lib/i18n/messages.ts'

/** Before this time, in ms, the speed is too uncertain to show a remaining time. */
const SETTLE_MS = 800

/** Returns the seconds until all bytes are sent at the average speed so far. Null while the speed is uncertain. */
export function secondsLeft(sentBytes: number, totalBytes: number, elapsedMs: number): number | null {
  if (elapsedMs < SETTLE_MS || sentBytes <= 0 || totalBytes <= sentBytes) return null
  return Math.ceil(((totalBytes - sentBytes) * elapsedMs) / sentBytes / 1000)
}

/** Formats the remaining time: "6 s left", "3 min left", "2 h left". */
export function formatTimeLeft(seconds: number): string {
  if (seconds < 60) return t('{seconds} s left', { seconds })
  if (seconds < 3600) return t('{ceil} min left', { ceil: Math.ceil(seconds / 60) })
  return t('{ceil} h left', { ceil: Math.ceil(seconds / 3600) })
}

/**
 * Formats the progress: "10.7 of 15.1 MB · 6 s left". Once everything is sent, the text says what the upload is waiting
 * for.
 */
export function progressText(sentBytes: number, totalBytes: number, elapsedMs: number): string {
  const bytes = formatBytesOf(sentBytes, totalBytes)
  if (sentBytes >= totalBytes) return t('{bytes} · checking the model', { bytes })
  const seconds = secondsLeft(sentBytes, totalBytes, elapsedMs)
  return seconds === null ? bytes : `${bytes} · ${formatTimeLeft(seconds)}`
}
