import { moment, utcByDefault } from '@pegasus/contracts/fields'
import { MAX_EXTRA_VALUE_LENGTH } from '@pegasus/contracts/filament/spoolman-fields'
import { malformed } from '../spoolman-errors.ts'
import type { ExtraFieldRow } from './extra-fields.queries.ts'

/** The values of an object's extra fields, each as JSON text. */
export type ExtraValues = Record<string, string>

type FieldType = Pick<ExtraFieldRow, 'field_type' | 'choices' | 'multi_choice'>

/** PostgreSQL cannot store NUL and lone surrogates, even if they are written as escape sequences. */
const isStorable = (text: string): boolean => !/[\0\p{Cs}]/u.test(text)

/**
 * Matches a number with an exponent of −100 or less. JavaScript reads the smallest of these numbers as 0, and the
 * database refuses them.
 */
const TOO_SMALL = /e-\d{3,}/i
const NUMERIC = /^(integer|float)/

const isNumber = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value)
const isInteger = (value: unknown): boolean => Number.isSafeInteger(value)

/**
 * Parses a time such as `2026-11-21T09:30:00`. A time without an offset is in UTC. Returns null if the text
 * is not a time.
 */
export function readMoment(text: string): Date | null {
  const withOffset = utcByDefault('moment').parse(text)
  return moment('moment').safeParse(withOffset).success ? new Date(withOffset) : null
}

function rangeFault(value: unknown, isBound: (item: unknown) => boolean, noun: string): string | null {
  if (!Array.isArray(value)) return 'Value is not a list.'
  if (value.length !== 2) return 'Value list must have exactly two values.'
  return value.every((item) => item === null || isBound(item))
    ? null
    : `Value list must contain only ${noun} or null.`
}

function choiceFault(value: unknown, { choices, multi_choice: isMulti }: FieldType): string | null {
  if (!isMulti) {
    if (typeof value !== 'string') return 'Value is not a string.'
    return choices?.includes(value) ? null : 'Value is not a valid choice.'
  }
  if (!Array.isArray(value)) return 'Value is not a list.'
  if (!value.every((item) => typeof item === 'string')) return 'Value list must contain only strings.'
  if (new Set(value).size < value.length) return 'Value list contains a choice twice.'
  return value.every((item) => choices?.includes(item)) ? null : 'Value list contains invalid choices.'
}

const FAULTS: Readonly<Record<FieldType['field_type'], (value: unknown, field: FieldType) => string | null>> =
  {
    text: (value) =>
      typeof value !== 'string'
        ? 'Value is not a string.'
        : isStorable(value)
          ? null
          : 'Value contains an invalid character.',
    integer: (value) => (isInteger(value) ? null : 'Value is not an integer.'),
    integer_range: (value) => rangeFault(value, isInteger, 'integers'),
    float: (value) => (isNumber(value) ? null : 'Value is not a float.'),
    float_range: (value) => rangeFault(value, isNumber, 'floats'),
    datetime: (value) =>
      typeof value !== 'string'
        ? 'Value is not a string.'
        : readMoment(value) === null
          ? 'Value is not a date and time.'
          : null,
    boolean: (value) => (typeof value === 'boolean' ? null : 'Value is not a boolean.'),
    choice: choiceFault,
  }

/** Returns whether spools can be grouped by this field: each spool has at most one text in it. */
export const isGroupable = (field: FieldType): boolean =>
  field.field_type === 'text' || (field.field_type === 'choice' && !field.multi_choice)

/** Returns Spoolman's error message for an invalid value (as JSON), or null if the field accepts the value. */
export function faultOfValue(field: FieldType, json: string): string | null {
  if (json.length > MAX_EXTRA_VALUE_LENGTH)
    return `Value is too big, max size is ${MAX_EXTRA_VALUE_LENGTH} characters.`
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    return 'Value is not valid JSON.'
  }
  if (TOO_SMALL.test(json) && NUMERIC.test(field.field_type)) return 'Value is too small.'
  return FAULTS[field.field_type](value, field)
}

/**
 * Returns the values after a change. Keys that the change does not name keep their values, and null removes a value.
 * Throws MALFORMED_REQUEST for an unknown field, or for a value that does not fit its field.
 */
export function changeExtra(
  fields: readonly ExtraFieldRow[],
  known: ExtraValues,
  change: Readonly<Record<string, string | null>>,
): ExtraValues {
  const values = new Map(Object.entries(known))
  for (const [key, json] of Object.entries(change)) {
    const field = fields.find((each) => each.key === key)
    if (!field) throw malformed(`Unknown extra field ${key}.`)
    const fault = json === null ? null : faultOfValue(field, json)
    if (fault !== null) throw malformed(`Invalid extra field for key ${key}: ${fault}`)
    if (json === null) values.delete(key)
    else values.set(key, json)
  }
  return Object.fromEntries(values)
}
