import { t } from '@/lib/i18n/messages.ts'
import { keepOrder, language, languageLocale } from '@/lib/i18n/languages.ts'
import { memoizeByKey } from './memoize-by-key.ts'

/** Formats numbers, measures, money and times. A space separates a unit from its number. */

/** The locale of dates and money. In English, undefined means the browser's locale. */
let locale: string | undefined = language === 'en' ? undefined : languageLocale
let currency = 'USD'

/**
 * Applies the locale and the currency of the server's configuration. Until then, the browser's locale and US dollars
 * apply. The locale is for English; another language that the person has chosen has its own.
 */
export function setFormats(formats: { locale: string | null; currency: string }): void {
  if (language === 'en') locale = formats.locale ?? undefined
  currency = formats.currency
  moneyFormats.clear()
  timeFormats.clear()
}

// Creating a format takes much longer than using it, and a page formats hundreds of values. Each format is kept.
const measureFormats = memoizeByKey(
  (digits: number) =>
    // In English, measures always have a decimal point, as in files, on labels and in slicers.
    new Intl.NumberFormat(languageLocale, { minimumFractionDigits: digits, maximumFractionDigits: digits }),
)
const COUNTS = new Intl.NumberFormat(languageLocale)

type MoneyStyle = 'exact' | 'whole' | 'short'

const MONEY_STYLES: Record<MoneyStyle, Intl.NumberFormatOptions> = {
  exact: {},
  whole: { maximumFractionDigits: 0, minimumFractionDigits: 0 },
  short: { notation: 'compact', maximumFractionDigits: 1 },
}

const moneyFormats = memoizeByKey((key: `${MoneyStyle} ${string}`) => {
  const [style, code] = key.split(' ') as [MoneyStyle, string]
  return new Intl.NumberFormat(locale, { style: 'currency', currency: code, ...MONEY_STYLES[style] })
})

const TIME_STYLES = {
  date: { dateStyle: 'medium' },
  dateTime: { dateStyle: 'medium', timeStyle: 'short' },
  exactTime: { dateStyle: 'medium', timeStyle: 'long' },
  fullDate: { dateStyle: 'full' },
  time: { hour: '2-digit', minute: '2-digit' },
  soon: { weekday: 'short', hour: 'numeric', minute: '2-digit' },
  day: { day: 'numeric', month: 'short', timeZone: 'UTC' },
  weekday: { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' },
  due: { weekday: 'short', day: 'numeric', month: 'short' },
  dueInAnotherYear: { day: 'numeric', month: 'short', year: 'numeric' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

const timeFormats = memoizeByKey(
  (style: keyof typeof TIME_STYLES) => new Intl.DateTimeFormat(locale, TIME_STYLES[style]),
)

function formatMoment(moment: string | number, style: keyof typeof TIME_STYLES): string {
  const date = new Date(moment)
  // A format throws for an invalid date.
  return Number.isNaN(date.getTime()) ? String(date) : timeFormats.get(style).format(date)
}

const decimals = (value: number, digits: number): string => measureFormats.get(digits).format(value)

export const formatCount = (count: number): string => COUNTS.format(count)

/** Formats a count that the server caps: `1,000+`. */
export const formatTotal = ({ total, isTotalCapped }: { total: number; isTotalCapped: boolean }): string =>
  isTotalCapped ? `${formatCount(total)}+` : formatCount(total)

/** Formats bytes in KB: `466.8 KB`. 1 KB has 1,024 bytes. */
export const formatKb = (bytes: number): string => keepOrder(`${decimals(bytes / 1024, 1)} KB`)

/** Formats a size in mm: `127.0 × 63.5 × 34.9 mm`. */
export const formatSizeMm = (sizeMm: readonly number[]): string =>
  keepOrder(`${sizeMm.map((length) => decimals(length, 1)).join(' × ')} mm`)

/** Formats an amount in the configured currency, with decimals. */
export const formatMoney = (amount: number): string => moneyFormats.get(`exact ${currency}`).format(amount)

/** Formats an amount in a currency other than the configured one, such as the currency of an earlier order. */
export const formatMoneyIn = (amount: number, of: string): string =>
  moneyFormats.get(`exact ${of}`).format(amount)

/** Formats revenue in whole units of the currency. */
export const formatWholeMoney = (amount: number): string =>
  moneyFormats.get(`whole ${currency}`).format(amount)

/** Formats a date and time in local time: `21 Nov 2026, 09:52`. */
export const formatDateTime = (moment: string): string => formatMoment(moment, 'dateTime')

export const formatDate = (moment: string): string => formatMoment(moment, 'date')

const STEPS = [
  { unit: 'minute', inMs: 60_000, until: 60 * 60_000 },
  { unit: 'hour', inMs: 60 * 60_000, until: 24 * 60 * 60_000 },
  { unit: 'day', inMs: 24 * 60 * 60_000, until: 7 * 24 * 60 * 60_000 },
] as const

/** Formats how long ago a time was: `12 min ago`, `yesterday`; after more than a week, the date. */
export function formatAgo(moment: string, nowMs: number): string {
  const agoMs = nowMs - Date.parse(moment)
  if (agoMs < 60_000) return t('just now')
  const step = STEPS.find(({ until }) => agoMs < until)
  if (!step) return formatDate(moment)
  return AGO.format(-Math.floor(agoMs / step.inMs), step.unit)
}

const AGO = new Intl.RelativeTimeFormat(languageLocale, {
  numeric: 'auto',
  // The short forms of Hebrew put the number in brackets.
  style: language === 'he' ? 'long' : 'short',
})

const MONTH = new Intl.DateTimeFormat(languageLocale, { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** Formats the month `2026-11` as `November 2026`. */
export const formatFullMonth = (month: string): string => MONTH.format(new Date(`${month}-01T00:00:00Z`))

/** Formats the time of day in local time: `06:12`. */
export const formatTime = (moment: string | number): string => formatMoment(moment, 'time')

/** Formats a calendar date without a time zone (`2026-10-23`) as `23 Oct`, optionally with the weekday. */
export const formatDay = (date: string, { withWeekday = false } = {}): string =>
  formatMoment(`${date}T00:00:00Z`, withWeekday ? 'weekday' : 'day')

/** Formats the day on which something is due: `Tue 24 Nov`. The year is added if it is another year. */
export function formatDue(moment: string, nowMs: number): string {
  const isThisYear = new Date(moment).getFullYear() === new Date(nowMs).getFullYear()
  return formatMoment(moment, isThisYear ? 'due' : 'dueInAnotherYear')
}

/**
 * Formats the expected end of a print: `Done Nov 25, 2026, 6:04 PM`. If the print has not started, the expected start
 * is included. Null if the end is unknown.
 */
export function formatExpected(
  {
    expected_start: start,
    expected_end: end,
  }: Readonly<Record<'expected_start' | 'expected_end', string | null>>,
  hasStarted: boolean,
): string | null {
  if (end === null) return null
  return hasStarted || start === null
    ? t('Done {end}', { end: formatDateTime(end) })
    : t('{start} to {end}', { start: formatDateTime(start), end: formatDateTime(end) })
}

/** Formats a time within the next few days, short enough for a column: `Wed 6:04 PM`. */
export const formatSoon = (moment: string): string => formatMoment(moment, 'soon')

/** Formats the date of a timestamp as a heading: `Today`, `Yesterday`, `Saturday, 21 November 2026`. */
export function formatDayName(moment: string, nowMs: number): string {
  const day = new Date(moment).toDateString()
  const yesterday = new Date(nowMs)
  yesterday.setDate(yesterday.getDate() - 1)
  if (day === new Date(nowMs).toDateString()) return t('Today')
  if (day === yesterday.toDateString()) return t('Yesterday')
  return formatMoment(moment, 'fullDate')
}

/** Formats a time precisely enough to find it in a log: `21 Nov 2026, 09:52:14 GMT+1`. */
export const formatExactTime = (moment: string): string => formatMoment(moment, 'exactTime')

/** Formats an amount for the axis of a chart, where space is limited: `$2K`. */
export const formatShortMoney = (amount: number): string =>
  moneyFormats.get(`short ${currency}`).format(amount)

/** Formats a duration: `1 h 14 min`, `6 min`; from 100 hours on, in whole hours: `1,112 h`. */
export function formatMinutes(minutes: number): string {
  const whole = Math.max(0, Math.round(minutes))
  const hours = Math.floor(whole / 60)
  if (hours === 0) return t('{whole} min', { whole })
  if (hours >= 100) return `${formatCount(Math.round(whole / 60))} h`
  return t('{hours} h {padStart} min', { hours, padStart: String(whole % 60).padStart(2, '0') })
}

const NO_BREAK = '\u00A0'
const KG_FROM_GRAMS = 10_000
const FEW_GRAMS = new Intl.NumberFormat(languageLocale, { maximumFractionDigits: 1 })
const WHOLE_GRAMS = new Intl.NumberFormat(languageLocale, { maximumFractionDigits: 0 })

/** Formats a weight: `372 g`, `8.4 g`; from 10 kg on, `18.6 kg`. A weight above 0 is never shown as 0. */
export function formatGrams(grams: number): string {
  if (grams >= KG_FROM_GRAMS) return formatKg(grams)
  if (grams > 0 && grams < 0.05) return keepOrder(`<${NO_BREAK}0.1${NO_BREAK}g`)
  const number = (grams < 10 ? FEW_GRAMS : WHOLE_GRAMS).format(grams)
  return keepOrder(`${number}${NO_BREAK}g`)
}

/** Formats the weight of one piece with a decimal: `12.5 g`. */
export const formatPieceGrams = (grams: number): string =>
  grams >= 10 && grams < KG_FROM_GRAMS
    ? keepOrder(`${FEW_GRAMS.format(grams)}${NO_BREAK}g`)
    : formatGrams(grams)

/** Formats grams in kg: `31.4 kg`. */
export const formatKg = (grams: number): string => keepOrder(`${decimals(grams / 1000, 1)}${NO_BREAK}kg`)

/**
 * Formats a share from 0 to 1: `62 %`. Unfinished work is never shown as 100 %, and started work never as 0
 * %.
 */
export function formatPercent(share: number): string {
  const percent = Math.round(share * 100)
  const honest = share < 1 ? Math.min(percent, 99) : percent
  return `${share > 0 ? Math.max(honest, 1) : honest}${NO_BREAK}%`
}

/** Formats the change from `before` to `now`: `+8.4 %`, `−3.0 %`. Null if `before` is 0 or less. */
export function formatChange(now: number, before: number): string | null {
  if (before <= 0) return null
  const percent = (now / before - 1) * 100
  return `${percent < 0 ? '−' : '+'}${decimals(Math.abs(percent), 1)}${NO_BREAK}%`
}
