/**
 * Matches E.164 numbers from the shortest to the longest, with the country code. The first digit of a country
 * code is not 0.
 */
const PHONE = /^[1-9]\d{6,14}$/
/** Matches characters that people put between the digits of a number. */
const SEPARATORS = /[\s\u00a0\u2007\u2009\u202f().\-\u2010-\u2015/]/g
const MAX_TYPED_LENGTH = 60

/**
 * Converts a typed phone number to the digits of E.164, without the plus, which is how the hosted protocol stores
 * numbers. Returns null if the text is not a number with a country code. A leading zero is refused, because a number
 * that starts with it has no country code.
 */
export function phoneDigits(text: string): string | null {
  if (text.length > MAX_TYPED_LENGTH) return null
  const digits = text.normalize('NFKC').trim().replace(/^\+/, '').replace(SEPARATORS, '')
  return PHONE.test(digits) ? digits : null
}

/** Returns the number as people write it, such as `+15555550100`. */
export const writtenPhone = (digits: string): string => `+${digits}`

/** Returns the end of a number, which is enough for people to recognize their own phone. */
export const phoneEnd = (digits: string): string => `…${digits.slice(-4)}`
