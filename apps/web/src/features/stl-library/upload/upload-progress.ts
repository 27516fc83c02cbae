const BYTES_PER_KB = 1024
const BYTES_PER_MB = 1024 ** 2
const BYTES_PER_GB = 1024 ** 3
const ONE_DECIMAL = new Intl.NumberFormat('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 })

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

/** The unit for an amount of bytes: KB below a megabyte, GB from one on. */
function unitOf(bytes: number): [bytes: number, name: string] {
  if (bytes < BYTES_PER_MB) return [BYTES_PER_KB, 'KB']
  return bytes < BYTES_PER_GB ? [BYTES_PER_MB, 'MB'] : [BYTES_PER_GB, 'GB']
}

/** "20.4 KB", "61.7 MB", "1.2 GB". */
export function formatBytes(bytes: number): string {
  const [unit, name] = unitOf(bytes)
  return `${ONE_DECIMAL.format(bytes / unit)} ${name}`
}

/** "10.7 of 15.1 MB", in the unit of the whole. */
export function formatBytesOf(sentBytes: number, totalBytes: number): string {
  const [unit, name] = unitOf(totalBytes)
  const [sent, total] = [Math.min(sentBytes, totalBytes), totalBytes].map((bytes) =>
    ONE_DECIMAL.format(bytes / unit),
  )
  return `${sent} of ${total} ${name}`
}

/** "10.7 of 15.1 MB · 6 s left"; once everything is sent, what it is waiting for. */
export function progressText(sentBytes: number, totalBytes: number, elapsedMs: number): string {
  const bytes = formatBytesOf(sentBytes, totalBytes)
  if (sentBytes >= totalBytes) return `${bytes} · checking the model`
  const seconds = secondsLeft(sentBytes, totalBytes, elapsedMs)
  return seconds === null ? bytes : `${bytes} · ${formatTimeLeft(seconds)}`
}
