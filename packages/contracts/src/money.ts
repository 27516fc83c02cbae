/**
 * In the API, money is a decimal number in the configured currency. In the database, it is a whole number of
 * minor units.
 */

const knownDecimals = new Map<string, number>()

/** Returns the number of decimals of a currency: 2 for USD, 0 for JPY, 3 for KWD. */
export function currencyDecimals(currency: string): number {
  const known = knownDecimals.get(currency)
  if (known !== undefined) return known
  // Cached, because creating a formatter takes longer than reading a database row.
  const format = new Intl.NumberFormat('en', { style: 'currency', currency })
  const decimals = format.resolvedOptions().maximumFractionDigits ?? 2
  knownDecimals.set(currency, decimals)
  return decimals
}

/**
 * Converts an amount to minor units. Returns null if it has more decimals than the currency or is too large to be
 * exact.
 */
export function toMinor(amount: number, currency: string): number | null {
  const factor = 10 ** currencyDecimals(currency)
  const minor = Math.round(amount * factor)
  // Rounding must not change the amount: 1.005 USD is refused instead of being turned into 1.01.
  return Number.isSafeInteger(minor) && minor / factor === amount ? minor : null
}

export const fromMinor = (minor: number, currency: string): number => minor / 10 ** currencyDecimals(currency)
