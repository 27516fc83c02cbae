import { parseNumber, scaleExactly } from '../number-parser.ts'
import { isWordAt, LETTER_BIT, MAX_TOKEN_BYTES, WORDS } from './stl-keywords.ts'
import { DOT, LINE_FEED, LOWER_E, MINUS, PLUS, RETURN, SPACE, ZERO } from '../char-codes.ts'

/**
 * The bytes of an ASCII STL, and the number of line ends that have been passed. CRLF counts as one line end.
 */
export type ScannedText = { readonly bytes: Uint8Array; lineEnds: number }

/**
 * Scans one complete facet, which begins with the word "facet" at `start`. This takes less than half the time of
 * reading it token by token. Writes its nine coordinates to `corners` from `offset` on, and returns where the next
 * token begins.
 *
 * Returns the end of the bytes if the facet is incomplete, invalid or unusual. The decoder then reads the facet token
 * by token, and reports its errors. For a valid facet, both ways must give the same result.
 */
export function scanFacet(text: ScannedText, start: number, corners: Float32Array, offset: number): number {
  // If a step finds something unusual, it returns the end of the bytes, and so do all following steps. The steps are
  // functions at module level, so that V8 compiles them only once.
  let at = skipWord(WORDS.facet, text, start)
  at = skipWord(WORDS.normal, text, at)
  // The numbers of the normal are checked, but not kept: the first corner overwrites them.
  at = readThree(text, at, corners, offset)
  at = skipWord(WORDS.outer, text, at)
  at = skipWord(WORDS.loop, text, at)
  for (let slot = offset; slot < offset + 9; slot += 3) {
    at = skipWord(WORDS.vertex, text, at)
    at = readThree(text, at, corners, slot)
  }
  at = skipWord(WORDS.endloop, text, at)
  return skipWord(WORDS.endfacet, text, at)
}

function readThree(text: ScannedText, start: number, to: Float32Array, slot: number): number {
  let at = readNumber(text, start, to, slot)
  at = readNumber(text, at, to, slot + 1)
  return readNumber(text, at, to, slot + 2)
}

function skipBlanks(text: ScannedText, start: number): number {
  const { bytes } = text
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at]!
    if (byte > SPACE) return at
    if (byte === LINE_FEED ? bytes[at - 1] !== RETURN : byte === RETURN) text.lineEnds++
  }
  return bytes.length
}

/** Skips the keyword and the white space after it. */
function skipWord(word: Uint8Array, text: ScannedText, start: number): number {
  const { bytes } = text
  const end = start + word.length
  if (end >= bytes.length || bytes[end]! > SPACE || !isWordAt(word, bytes, start)) return bytes.length
  return skipBlanks(text, end)
}

/**
 * Parses a number, writes it to `to[slot]`, and skips the white space after it. The result is the same as
 * that of `parseNumber`, but the number and its end are found in one pass.
 */
function readNumber(text: ScannedText, start: number, to: Float32Array, slot: number): number {
  const { bytes } = text
  const { length } = bytes
  if (start >= length) return length
  const sign = bytes[start]!
  const whole = sign === MINUS || sign === PLUS ? start + 1 : start
  let at = whole
  let digit = 0
  let digits = 0
  for (; at < length; at++) {
    digit = bytes[at]! - ZERO
    if (digit < 0 || digit > 9) break
    digits = digits * 10 + digit
  }
  let digitCount = at - whole
  let power = 0
  if (at < length && bytes[at] === DOT) {
    const fraction = ++at
    for (; at < length; at++) {
      digit = bytes[at]! - ZERO
      if (digit < 0 || digit > 9) break
      digits = digits * 10 + digit
    }
    power = fraction - at
    digitCount += at - fraction
  }
  if (digitCount === 0 || at >= length) return length
  if ((bytes[at]! | LETTER_BIT) === LOWER_E) {
    if (++at >= length) return length
    const exponentSign = bytes[at]!
    const exponentStart = exponentSign === MINUS || exponentSign === PLUS ? ++at : at
    let exponent = 0
    for (; at < length; at++) {
      digit = bytes[at]! - ZERO
      if (digit < 0 || digit > 9) break
      exponent = exponent * 10 + digit
    }
    if (at === exponentStart) return length
    if (exponentSign === MINUS) power -= exponent
    else power += exponent
  }
  if (at >= length || bytes[at]! > SPACE || at - start > MAX_TOKEN_BYTES) return length
  const magnitude = scaleExactly(digits, power)
  to[slot] = sign === MINUS ? -magnitude : magnitude
  return Number.isFinite(to[slot]) ? skipBlanks(text, at) : readInexact(text, start, at, to, slot)
}

/**
 * Parses a number that needs more than one operation to round. A number beyond the range of a float32 is treated as
 * unusual, like "inf".
 */
function readInexact(text: ScannedText, start: number, end: number, to: Float32Array, slot: number): number {
  to[slot] = parseNumber(text.bytes, start, end)
  return Number.isFinite(to[slot]) ? skipBlanks(text, end) : text.bytes.length
}
