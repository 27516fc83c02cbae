import { t } from '@/lib/i18n/messages.ts'
import { keepOrder, languageLocale } from '@/lib/i18n/languages.ts'

const BYTES_PER_KB = 1024
const BYTES_PER_MB = 1024 ** 2
const BYTES_PER_GB = 1024 ** 3
const ONE_DECIMAL = new Intl.NumberFormat(languageLocale, {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
})

/** Returns the unit for an amount of bytes: KB below one megabyte, MB below one gigabyte, else GB. */
function unitOf(bytes: number): [bytes: number, name: string] {
  if (bytes < BYTES_PER_MB) return [BYTES_PER_KB, 'KB']
  return bytes < BYTES_PER_GB ? [BYTES_PER_MB, 'MB'] : [BYTES_PER_GB, 'GB']
}

/** Formats a number of bytes: "20.4 KB", "61.7 MB", "1.2 GB". */
export function formatBytes(bytes: number): string {
  const [unit, name] = unitOf(bytes)
  return keepOrder(`${ONE_DECIMAL.format(bytes / unit)} ${name}`)
}

/** Formats a progress in bytes, both numbers in the unit of the total: "10.7 of 15.1 MB". */
export function formatBytesOf(sentBytes: number, totalBytes: number): string {
  const [unit, name] = unitOf(totalBytes)
  const [sent, total] = [Math.min(sentBytes, totalBytes), totalBytes].map((bytes) =>
    ONE_DECIMAL.format(bytes / unit),
  )
  return t('{sent} of {total} {name}', { sent, total, name })
}
