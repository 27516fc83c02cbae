/** How numbers, measures, money and moments are written. Units follow their number after a space. */

let locale: string | undefined
let currency = 'USD'

/** From the server's configuration; without it the browser's locale and US dollars. */
export function setFormats(formats: { locale: string | null; currency: string }): void {
  locale = formats.locale ?? undefined
  currency = formats.currency
}

const decimals = (value: number, digits: number): string =>
  // Measures are compared with files, labels and slicers, which all write a decimal point.
  value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })

export const formatCount = (count: number): string => count.toLocaleString('en-US')

/** A count that the server stops counting at some point: `1,000+`. */
export const formatTotal = ({ total, isTotalCapped }: { total: number; isTotalCapped: boolean }): string =>
  isTotalCapped ? `${formatCount(total)}+` : formatCount(total)

/** `466.8 KB`; a KB has 1,024 bytes. */
export const formatKb = (bytes: number): string => `${decimals(bytes / 1024, 1)} KB`

/** `127.0 × 63.5 × 34.9 mm` */
export const formatSizeMm = (sizeMm: readonly number[]): string =>
  `${sizeMm.map((length) => decimals(length, 1)).join(' × ')} mm`

/** `60.5 cm³` from cubic millimetres. */
export const formatVolume = (volumeMm3: number): string => `${decimals(volumeMm3 / 1000, 1)} cm³`

/** `1,284 files`, `1 file` */
export const formatNumberOf = (count: number, one: string, many = `${one}s`): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`

/** In the configured currency, in full. */
export const formatMoney = (amount: number): string =>
  amount.toLocaleString(locale, { style: 'currency', currency })

/** Revenue: whole units of the currency. */
export const formatWholeMoney = (amount: number): string =>
  amount.toLocaleString(locale, {
    style: 'currency',
    currency,
    maximumFractionDigits: 0,
    minimumFractionDigits: 0,
  })

/** `21 Nov 2026, 09:52`, in local time. */
export const formatDateTime = (moment: string): string =>
  new Date(moment).toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short' })

export const formatDate = (moment: string): string =>
  new Date(moment).toLocaleDateString(locale, { dateStyle: 'medium' })

const STEPS = [
  { unit: 'minute', inMs: 60_000, until: 60 * 60_000 },
  { unit: 'hour', inMs: 60 * 60_000, until: 24 * 60 * 60_000 },
  { unit: 'day', inMs: 24 * 60 * 60_000, until: 7 * 24 * 60 * 60_000 },
] as const

/** `12 min ago`, `yesterday`; beyond a week the date. */
export function formatAgo(moment: string, nowMs: number): string {
  const agoMs = nowMs - Date.parse(moment)
  if (agoMs < 60_000) return 'just now'
  const step = STEPS.find(({ until }) => agoMs < until)
  if (!step) return formatDate(moment)
  const format = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' })
  return format.format(-Math.floor(agoMs / step.inMs), step.unit)
}
