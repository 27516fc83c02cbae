import { languageLocale } from '@/lib/i18n/languages.ts'

/** Digits in groups of three, like `1,200` and `1,200.50`. */
const GROUPED = /^([+-]?[1-9]\d{0,2})((?:,\d{3})+)(\.\d*)?$/
/** Digits in groups of three as German writes them, like `1.200` and `1.200,50`. */
const GROUPED_BY_POINTS = /^([+-]?[1-9]\d{0,2})((?:\.\d{3})+)(,\d*)?$/
/** A comma that can only be a decimal separator. */
const DECIMAL_COMMA = /^[+-]?\d*,\d{1,2}$/
/** A number as JavaScript and the API write it. */
const PLAIN = /^-?\d*\.?\d*$/
/** A number in decimal notation. JavaScript also reads `0x10` and `Infinity`, which nobody means as a number here. */
const DECIMAL = /^[+-]?[\d.,]+(e[+-]?\d+)?$/i

/** Whether the decimal separator of a locale is a comma. */
const hasDecimalComma = (locale: string): boolean => (1.5).toLocaleString(locale).includes(',')

/** Returns a number as JavaScript writes it, or the text itself if its separators are ambiguous. */
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
 * reports it. In English a comma before three digits separates thousands: `1,200` is 1200. In German a point does, and a
 * comma separates decimals: `1.200` is 1200, and `1,5` is 1.5.
 */
export function typedNumber(text: string, locale: string = languageLocale): number | null {
  const typed = text.trim()
  if (typed === '') return null
  return DECIMAL.test(typed) ? Number(plainNumber(typed, locale)) : Number.NaN
}

/**
 * Returns a typed number as JavaScript and the API write it: `1.200,50` typed in German is `1200.50`. Text that is not a
 * number is returned as it is, so that the check of the field reports it.
 */
export const typedToWire = (text: string, locale: string = languageLocale): string => {
  const typed = text.trim()
  const plain = plainNumber(typed, locale)
  return typed === '' || (DECIMAL.test(typed) && !Number.isNaN(Number(plain))) ? plain : text
}

/** Returns the text of a field for a number as the API writes it, with the decimal separator of the locale. */
export const wireToTyped = (wire: string, locale: string = languageLocale): string =>
  PLAIN.test(wire) && hasDecimalComma(locale) ? wire.replace('.', ',') : wire

/**
 * Returns the text of a number field, with the decimal separator of the locale, so that `typedNumber` reads the same
 * number. Returns an empty text for null.
 *
 * @param digits the least number of decimals
 */
export function numberText(value: number | null, locale: string = languageLocale, digits = 0): string {
  if (value === null) return ''
  const plain = String(value)
  const text = (plain.split('.')[1]?.length ?? 0) < digits ? value.toFixed(digits) : plain
  return hasDecimalComma(locale) ? text.replace('.', ',') : text
}

/** Returns the text of a field for money, with at least two decimals (`26.90`) unless the amount is a whole number. */
export const amountText = (amount: number | null, locale: string = languageLocale): string =>
  numberText(amount, locale, amount === null || Number.isInteger(amount) ? 0 : 2)
