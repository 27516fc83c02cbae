import { COMMA, DOT, LOWER_E, MINUS, NINE, PLUS, UPPER_E, ZERO } from './char-codes.ts'

/** Why a token in an ASCII STL is not a valid number. */
export type NumberFault = 'not-finite' | 'decimal-comma' | 'bad-syntax'

/** Powers of ten that a double represents exactly. */
const EXACT_POWERS = Array.from({ length: 23 }, (_, power) => Number(`1e${power}`))
const MAX_EXACT_POWER = EXACT_POWERS.length - 1
const MAX_EXACT_INTEGER = Number.MAX_SAFE_INTEGER

/**
 * Parses the decimal number in `bytes[start, end)` to the nearest double, like `Number()`. Returns NaN if the
 * token is not a finite decimal number; `explainNumberFault` then says why. Numbers that `scaleExactly`
 * cannot handle are parsed by `Number()`, because they are rare in STL files and slow to round correctly.
 */
export function parseNumber(bytes: Uint8Array, start: number, end: number): number {
  let at = start
  const first = bytes[at]
  if (first === MINUS || first === PLUS) at++
  let digits = 0
  let digitCount = 0
  let fraction = 0
  let hasDot = false
  for (; at < end; at++) {
    const byte = bytes[at]!
    if (byte >= ZERO && byte <= NINE) {
      digits = digits * 10 + (byte - ZERO)
      digitCount++
      if (hasDot) fraction++
    } else if (byte === DOT && !hasDot) hasDot = true
    else break
  }
  if (digitCount === 0) return Number.NaN
  let exponent = 0
  if (at < end) {
    const byte = bytes[at]
    if (byte !== LOWER_E && byte !== UPPER_E) return Number.NaN
    exponent = parseExponent(bytes, at + 1, end)
    if (exponent !== exponent) return Number.NaN
  }
  const magnitude = scaleExactly(digits, exponent - fraction)
  if (magnitude !== magnitude) return parseSlowly(bytes, start, end)
  return first === MINUS ? -magnitude : magnitude
}

/**
 * Returns `digits` times ten to the `power` as the nearest double, or NaN if that takes more than one
 * operation. If the digits are at most 2^53 and the power of ten is at most 22, both operands are exact, so
 * one IEEE operation rounds correctly (W. D. Clinger, "How to read floating point numbers accurately", 1990).
 */
export function scaleExactly(digits: number, power: number): number {
  if (digits > MAX_EXACT_INTEGER || power > MAX_EXACT_POWER || power < -MAX_EXACT_POWER) return Number.NaN
  return power < 0 ? digits / EXACT_POWERS[-power]! : digits * EXACT_POWERS[power]!
}

function parseExponent(bytes: Uint8Array, start: number, end: number): number {
  const sign = bytes[start]
  let at = sign === MINUS || sign === PLUS ? start + 1 : start
  if (at >= end) return Number.NaN
  let value = 0
  for (; at < end; at++) {
    const byte = bytes[at]!
    if (byte < ZERO || byte > NINE) return Number.NaN
    if (value < 100_000) value = value * 10 + (byte - ZERO)
  }
  return sign === MINUS ? -value : value
}

function parseSlowly(bytes: Uint8Array, start: number, end: number): number {
  return Number(tokenText(bytes, start, end))
}

/** Returns why `parseNumber` found no finite value in this token. */
export function explainNumberFault(bytes: Uint8Array, start: number, end: number): NumberFault {
  const text = tokenText(bytes, start, end).toLowerCase()
  // Matches "nan", "-inf", "infinity", and the output of old Microsoft runtimes: "1.#QNAN", "-1.#IND".
  if (/^[+-]?(nan|inf)|^[+-]?1\.#/.test(text)) return 'not-finite'
  for (let at = start; at < end; at++) if (bytes[at] === COMMA) return 'decimal-comma'
  return Number.isNaN(Number(text)) || text === '' ? 'bad-syntax' : 'not-finite'
}

/**
 * Converts a token to text. Bytes outside ASCII are shown one by one, which is good enough for an error
 * message.
 */
export function tokenText(bytes: Uint8Array, start: number, end: number): string {
  let text = ''
  for (let at = start; at < end; at++) text += String.fromCharCode(bytes[at]!)
  return text
}
