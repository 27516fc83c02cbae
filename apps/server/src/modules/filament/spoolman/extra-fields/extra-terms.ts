import { malformed } from '../spoolman-errors.ts'
import type { ExtraFieldRow } from './extra-fields.queries.ts'
import { readMoment } from './extra-values.ts'

/**
 * Parses a range such as `10:20`, `10:` or `:20`. Returns null if the text has no separator. Throws
 * MALFORMED_REQUEST for a range without bounds, and for a bound that `read` cannot parse.
 */
function readRange<T>(
  text: string,
  separator: ':' | '|',
  read: (bound: string) => T | null,
  fault: string,
): { from: T | null; to: T | null } | null {
  if (!text.includes(separator)) return null
  const at = text.indexOf(separator)
  const [from, to] = [text.slice(0, at), text.slice(at + 1)].map((bound) =>
    bound === '' ? null : read(bound),
  )
  const isKnown = (bound: T | null | undefined, start: number, end?: number) =>
    bound != null || text.slice(start, end) === ''
  if ((from == null && to == null) || !isKnown(from, 0, at) || !isKnown(to, at + 1))
    throw malformed(`Invalid ${fault}: ${text}`)
  return { from: from ?? null, to: to ?? null }
}

const readInteger = (text: string): number | null => (/^-?\d{1,15}$/.test(text) ? Number(text) : null)
const readFloat = (text: string): number | null =>
  /^-?(\d{1,15}(\.\d{0,15})?|\.\d{1,15})$/.test(text) ? Number(text) : null

/**
 * Parses a filter by numbers: a range, or one number, which is a range with equal bounds. Throws
 * MALFORMED_REQUEST with the key of the field.
 */
export function readNumbers(text: string, { field_type: type, key }: ExtraFieldRow) {
  const [noun] = type.split('_')
  const read = noun === 'integer' ? readInteger : readFloat
  const range = readRange(text, ':', read, `${noun} range filter value for '${key}'`)
  if (range) return range
  if (type.endsWith('_range'))
    throw malformed(`Invalid range filter value for '${key}': ${text}. Expected '<min>:<max>'.`)
  const number = read(text)
  if (number === null) throw malformed(`Invalid ${noun} filter value for '${key}': ${text}`)
  return { from: number, to: number }
}

/**
 * Parses a filter by dates: a range such as `2026-01-01T00:00:00Z|`, or one time. Throws MALFORMED_REQUEST
 * with the name of the filter.
 */
export function readMoments(text: string, name: string): { from: Date | null; to: Date | null } {
  const range = readRange(text, '|', readMoment, `datetime range filter value for '${name}'`)
  if (range) return range
  const at = readMoment(text)
  if (at === null) throw malformed(`Invalid datetime filter value for '${name}': ${text}`)
  return { from: at, to: at }
}

/** Parses a boolean. Throws MALFORMED_REQUEST with the key of the field. */
export function readBoolean(text: string, { key }: ExtraFieldRow): boolean {
  const word = text.toLowerCase()
  if (word !== 'true' && word !== 'false')
    throw malformed(`Invalid boolean filter value for '${key}': ${text}`)
  return word === 'true'
}
