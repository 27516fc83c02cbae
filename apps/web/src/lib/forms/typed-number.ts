import { languageLocale } from '@/lib/i18n/languages.ts'

/** Digits in groups of three, like `1,200` and `1,200.50`. */
const GROUPED = /^([+-]?[1-9]\d{0,2})((?:,\d{3})+)(\.\d*)?$/
/** Digits in groups of three as German writes them, like `1.200,50` and `1.200.000`. */
const GROUPED_BY_POINTS = /^([+-]?[1-9]\d{0,2})((?:\.\d{3})+)(,\d*)$|^([+-]?[1-9]\d{0,2})((?:\.\d{3}){2,})$/
/** A comma that can only be a decimal separator. */
const DECIMAL_COMMA = /^[+-]?\d*,\d{1,2}$/

/** Whether the decimal separator of a locale is a comma. */
const hasDecimalComma = (locale: string): boolean => (1.5).toLocaleString(locale).includes(',')

/** Returns a number as JavaScript writes it, or the text itself if its separators have no clear meaning. */
function plainNumber(text: string, locale: string): string {
  if (hasDecimalComma(locale)) {
    const ungrouped = GROUPED_BY_POINTS.test(text) ? text.replaceAll('.', '') : text
    return ungrouped.includes('.') ? ungrouped : ungrouped.replace(',', '.')
  }
  if (GROUPED.test(text)) return text.replaceAll(',', '')
  return DECIMAL_COMMA.test(text) ? text.replace(',', '.') : text
}

/**
 * Parses a number field. Returns null for an empty field, and NaN for invalid text, so that the schema
 * reports it. In English a comma before three digits separates thousands: `1,200` is 1200.
 */
export function typedNumber(text: string, locale: string = languageLocale): number | null {
  const typed = text.trim()
  return typed === '' ? null : Number(plainNumber(typed, locale))
}

/** Returns the text of a number field; empty if the number is null. */
export const numberText = (value: number | null): string => (value === null ? '' : String(value))
