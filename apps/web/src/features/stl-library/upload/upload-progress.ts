import { formatBytesOf } from '@/lib/format/bytes.ts'

/** Until this time the speed is only a guess, and no remaining time is shown. */
const SETTLE_MS = 800

/** Seconds until all bytes are sent at the average speed so far, or null while that is a guess. */
export function secondsLeft(sentBytes: number, totalBytes: number, elapsedMs: number): number | null {
  if (elapsedMs < SETTLE_MS || sentBytes <= 0 || totalBytes <= sentBytes) return null
  return Math.ceil(((totalBytes - sentBytes) * elapsedMs) / sentBytes / 1000)
}

/** "6 s left", "3 min left", "2 h left". */
export function formatTimeLeft(seconds: number): string {
  if (seconds < 60) return `${seconds} s left`
  if (seconds < 3600) return `${Math.ceil(seconds / 60)} min left`
  return `${Math.ceil(seconds / 3600)} h left`
}

/** "10.7 of 15.1 MB · 6 s left"; once everything is sent, what it is waiting for. */
export function progressText(sentBytes: number, totalBytes: number, elapsedMs: number): string {
  const bytes = formatBytesOf(sentBytes, totalBytes)
  if (sentBytes >= totalBytes) return `${bytes} · checking the model`
  const seconds = secondsLeft(sentBytes, totalBytes, elapsedMs)
  return seconds === null ? bytes : `${bytes} · ${formatTimeLeft(seconds)}`
}
