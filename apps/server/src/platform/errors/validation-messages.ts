import type * as z from 'zod/mini'

type Issue = Parameters<NonNullable<z.core.$ZodConfig['localeError']>>[0]

/** The words that messages use for the types of a schema. */
const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

const FORMATS: Readonly<Record<string, string>> = {
  uuid: 'a UUID',
  email: 'an email address',
  url: 'an address such as https://shop.example',
  datetime: 'a date and time such as 2026-01-31T12:00:00Z',
  date: 'a date such as 2026-01-31',
}

const COUNTED: Readonly<Record<string, string>> = { string: 'characters', array: 'entries', file: 'bytes' }

/**
 * Returns the name of the invalid field as in the request, or "The request" if the issue concerns no single
 * field.
 */
const nameOf = ({ path }: Issue): string => {
  const name = path?.map(String).join('.') ?? ''
  return name === '' ? 'The request' : name
}

/** Returns a list of the first five names, separated by commas. Each name is cut after 40 characters. */
const listOf = (names: readonly string[]): string =>
  names
    .slice(0, 5)
    .map((name) => name.slice(0, 40))
    .join(', ')

/**
 * Returns a message about an invalid field that tells the sender what to correct. Used if the schema has no
 * message of its own. It repeats only the names of sent fields, never their values.
 */
export function validationMessage(issue: Issue): string {
  const name = nameOf(issue)
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined || (issue.input === null && name === 'The request'))
        return name === 'The request' ? 'The request has no body.' : `${name} is required.`
      return `${name} must be ${KINDS[issue.expected] ?? issue.expected}.`
    case 'invalid_value':
      return `${name} must be ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}.`
    case 'too_small':
      return `${name} must ${boundOf(issue, issue.minimum, issue.inclusive ? 'at least' : 'more than')}.`
    case 'too_big':
      return `${name} must ${boundOf(issue, issue.maximum, issue.inclusive ? 'at most' : 'less than')}.`
    case 'invalid_format':
      return `${name} must be ${FORMATS[issue.format] ?? 'written as described at /api/docs'}.`
    case 'not_multiple_of':
      return `${name} must be a multiple of ${issue.divisor}.`
    case 'unrecognized_keys':
      return `${name} has unknown fields: ${listOf(issue.keys)}.`
    case 'custom':
    case 'invalid_element':
    case 'invalid_key':
    case 'invalid_union':
      return `${name} does not have an accepted type; see /api/docs.`
  }
}

function boundOf({ origin }: { origin?: string }, bound: number | bigint, comparison: string): string {
  const counted = COUNTED[origin ?? '']
  return counted ? `have ${comparison} ${bound} ${counted}` : `be ${comparison} ${bound}`
}
