import type { CustomTypesConfig } from 'pg'
import { parse as parseArrayText } from 'postgres-array'

const UTC_OFFSET = '+00'

type Parse = (text: string) => unknown

/** The types whose values are not read as strings: the type's id, the id of its array type, and the parser. */
const PARSERS: readonly (readonly [type: number, arrays: number, parse: Parse])[] = [
  [16, 1000, (text) => text === 't'],
  [17, 1001, (text) => Buffer.from(text.slice('\\x'.length), 'hex')],
  [20, 1016, parseInteger],
  [21, 1005, Number],
  [23, 1007, Number],
  [26, 1028, Number],
  [114, 199, parseJson],
  [700, 1021, Number],
  [701, 1022, Number],
  [1184, 1185, parseMoment],
  [3802, 3807, parseJson],
]

/**
 * Array types whose elements stay strings: name, bpchar, text, varchar, inet, cidr, date, time, timestamp,
 * numeric and uuid. Single values of these types are strings, too. A Date would shift a date by the time zone
 * of the machine, and a number would round a numeric.
 */
const TEXT_ARRAYS = [1003, 1009, 1014, 1015, 1041, 651, 1182, 1183, 1115, 1231, 2951]

const parserOf = new Map<number, Parse>([
  ...PARSERS.flatMap(([type, arrays, parse]): [number, Parse][] => [
    [type, parse],
    [arrays, (text) => parseArray(text, parse)],
  ]),
  ...TEXT_ARRAYS.map((arrays): [number, Parse] => [arrays, (text) => parseArray(text, asText)]),
])

/**
 * Defines how values are read. A timestamp is a string with all its microseconds. A Date would drop them, and
 * a page that begins after a rounded timestamp would skip or repeat rows. A bigint becomes a number; a bigint
 * that is too large to be exact is refused.
 */
export const VALUE_TYPES: CustomTypesConfig = {
  getTypeParser: ((type: number) => parserOf.get(type) ?? asText) as CustomTypesConfig['getTypeParser'],
}

function asText(text: string): string {
  return text
}

function parseArray(text: string, parse: Parse): unknown[] {
  return parseArrayText(text, parse)
}

function parseJson(text: string): unknown {
  return JSON.parse(text)
}

/** Converts `2026-03-01 12:00:00.123456+00` to `2026-03-01T12:00:00.123456Z`. All sessions use UTC. */
function parseMoment(text: string): string {
  return text.endsWith(UTC_OFFSET) ? `${text.slice(0, -UTC_OFFSET.length).replace(' ', 'T')}Z` : text
}

function parseInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value))
    throw new RangeError(`The number ${text} in the database is too large to be exact.`)
  return value
}
