import * as z from 'zod/mini'
import { addressFault, isWebAddress } from './web-address.ts'

/** A UUID in a path. The server responds with 404 to any other text, because no object can have such an id. */
export const idParams = z.object({ id: z.uuid() })

/** Date and time in UTC, in the format of RFC 3339. */
export const timestamp = z.iso.datetime({ offset: true })

/** Fields of a response that are null when the object has no such value. */
export const nullable = {
  text: z.nullable(z.string()),
  number: z.nullable(z.number()),
  id: z.nullable(z.uuid()),
  timestamp: z.nullable(timestamp),
}

/** Number of days for which the trash keeps an object after its `deleted_at`. */
export const TRASH_DAYS = 30

/** Times of an object that can be moved to the trash. */
export const trashableTimes = {
  created_at: timestamp,
  updated_at: timestamp,
  deleted_at: nullable.timestamp,
}

/** Revision and times of an object that can be edited and moved to the trash. */
export const revisedTimes = {
  /** Clients send it in quotes as `If-Match` when they change the object. */
  revision: z.number(),
  ...trashableTimes,
}

const DEFAULT_PAGE_SIZE = 100
export const MAX_PAGE_SIZE = 1000

/**
 * Query parameters of every list. The `Link` header of the response contains the address of the next page.
 */
export const pageQuery = {
  limit: z._default(
    z.coerce
      .number()
      .check(
        z.int('limit must be a whole number'),
        z.gte(1, 'limit must be at least 1'),
        z.lte(MAX_PAGE_SIZE, `limit must be at most ${MAX_PAGE_SIZE}`),
      ),
    DEFAULT_PAGE_SIZE,
  ),
  cursor: z.optional(z.string().check(z.maxLength(500, 'cursor is too long'))),
}

/**
 * Returns whether PostgreSQL can store a string: it cannot store NUL characters. Half of a surrogate pair is
 * stored as the replacement character.
 */
export const isStorable = (text: string): boolean => !text.includes('\0')

/**
 * Like `isStorable`, but stricter: also refuses half of a surrogate pair. It is used for strings that must be
 * returned exactly as they were sent.
 */
export const isWellFormed = (text: string): boolean => isStorable(text) && !/\p{Cs}/u.test(text)

const storable = (name: string, isAllowed = isStorable) =>
  z.refine<string>(isAllowed, `${name} contains an invalid character`)

const limit = (maxLength: number, name: string) =>
  z.maxLength(maxLength, `${name} can have at most ${maxLength} characters`)

/** An optional string in a query string. */
export const queryText = (name: string, maxLength: number) =>
  z.optional(z.string().check(z.maxLength(maxLength, `${name} is too long`), storable(name)))

const MAX_SEARCH_WORDS = 10

/**
 * Search words, each of which must occur. The number of words is limited, because each word searches the whole list.
 */
export const searchText = queryText('search', 200).check(
  z.refine(
    (text) => (text ?? '').trim().split(/\s+/).length <= MAX_SEARCH_WORDS,
    `Search for at most ${MAX_SEARCH_WORDS} words at a time.`,
  ),
)

/** A string in a request body, which is trimmed and may be empty. */
export const text = (maxLength: number, name: string, isAllowed = isStorable) =>
  z.string(`${name} must be text`).check(z.trim(), limit(maxLength, name), storable(name, isAllowed))

/** A string in a request body that must not be empty. `missing` is the message for an empty string. */
export const requiredText = (
  maxLength: number,
  name: string,
  missing = `${name} is required`,
  isAllowed = isStorable,
) =>
  z
    .string(missing)
    .check(z.trim(), z.minLength(1, missing), limit(maxLength, name), storable(name, isAllowed))

/** A string in a form. Missing, empty and blank strings become null. */
export const optionalText = (maxLength: number, name: string) =>
  z.pipe(
    z.optional(text(maxLength, name)),
    z.transform((value) => value || null),
  )

/**
 * A string in an edit. Null and an empty string clear the field. If it is missing, the field stays unchanged.
 */
export const clearableText = (maxLength: number, name: string, isAllowed = isStorable) =>
  z.optional(
    z.nullable(
      z.pipe(
        text(maxLength, name, isAllowed),
        z.transform((value) => value || null),
      ),
    ),
  )

const address = (name: string) => z.string().check(z.trim(), z.maxLength(2000, `${name} is too long`))

const readAddress = (
  value: string | undefined,
  name: string,
  context: { issues: { push(issue: { code: 'custom'; message: string; input: unknown }): unknown } },
): string | null => {
  if (!value) return null
  if (isWebAddress(value) && isStorable(value)) return value
  const message = addressFault(value, `${name} must be a web address (http or https)`)
  context.issues.push({ code: 'custom', message, input: value })
  return z.NEVER
}

/** A web address in a form. A missing or empty address becomes null. */
export const optionalAddress = (name: string) =>
  z.pipe(
    z.optional(address(name)),
    z.transform((value, context) => readAddress(value, name, context)),
  )

/**
 * A web address in an edit. Null and an empty string clear the field. If it is missing, the field stays
 * unchanged.
 */
export const clearableAddress = (name: string) =>
  z.optional(
    z.nullable(
      z.pipe(
        address(name),
        z.transform((value, context) => readAddress(value, name, context)),
      ),
    ),
  )

const formatLimit = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 3 })

/** A number from `least` to `most`, both included. `unit` follows the limits in the error message, such as ` g`. */
export const numberBetween = (name: string, least: number, most: number, unit = '') => {
  const message = `${name} must be a number from ${formatLimit(least)} to ${formatLimit(most)}${unit}`
  return z.number(message).check(z.gte(least, message), z.lte(most, message))
}

/** A number above 0, up to `most`. */
export const positiveNumber = (name: string, most: number, unit: string) => {
  const message = `${name} must be more than 0${unit} and at most ${formatLimit(most)}${unit}`
  return z.number(message).check(z.gt(0, message), z.lte(most, message))
}

/** A whole number from `least` to `most`, both included. */
export const wholeNumber = (name: string, least: number, most: number) => {
  const message = `${name} must be a whole number from ${formatLimit(least)} to ${formatLimit(most)}`
  return z.int(message).check(z.gte(least, message), z.lte(most, message))
}

/**
 * Returns whether the database can store a date and time. Its year in UTC must be from 1 to 9999, and its offset must
 * be possible.
 */
const isKnownMoment = (moment: string): boolean => {
  const year = new Date(moment).getUTCFullYear()
  return year >= 1 && year <= 9999
}

/** Date and time with an offset from UTC. */
export const moment = (name: string) => {
  const error = `${name} must be a date and time such as 2026-11-21T09:30:00Z`
  return z.iso.datetime({ offset: true, error }).check(z.refine(isKnownMoment, error))
}

/** A date and time as text, with `Z` appended if it has no offset, so that it is read as UTC. */
export const utcByDefault = (name: string) =>
  z.pipe(
    z.string(`${name} must be a date and time such as 2026-11-21T09:30:00Z`),
    z.transform((text) => (/T.*(?:Z|[+-]\d\d:\d\d)$/i.test(text) ? text : `${text}Z`)),
  )

/** Date and time in an edit. Null clears the field. If it is missing, the field stays unchanged. */
export const clearableMoment = (name: string) => z.optional(z.nullable(moment(name)))

/** An id in a query or a form. */
export const optionalId = (name: string) => z.optional(z.uuid(`${name} is not an id`))

/** An id in an edit. Null clears the field. If it is missing, the field stays unchanged. */
export const clearableId = (name: string) => z.optional(z.nullable(z.uuid(`${name} is not an id`)))

/**
 * Ids of the objects to which a bulk change applies, at least one. `noun` names one object in the error
 * messages, such as `item`.
 */
export const bulkIds = (noun: string, most: number) =>
  z
    .array(z.uuid('This is not an id'))
    .check(
      z.minLength(1, `Please choose at least one ${noun}.`),
      z.maxLength(most, `At most ${most} ${noun}s at a time.`),
    )

/**
 * The model from which an object is printed, with its picture as a signed path. The fields are null without a
 * model.
 */
export const linkedModel = {
  stl_file_id: nullable.id,
  stl_file_title: nullable.text,
  stl_thumbnail_path: nullable.text,
}

/** Query parameter that lists the trash instead of everything else. */
export const deletedOnly = z.optional(z.enum(['true'], 'deleted must be true or absent'))

export const ACTOR_KINDS = ['user', 'api_key', 'system'] as const

/** The author of a change: a person, an API key, or the server itself. `name` is the name at the time of the change. */
export const actor = z.object({
  kind: z.enum(ACTOR_KINDS),
  id: nullable.id,
  name: z.string(),
})

/** The body of every failed call to our own API. */
export const errorBody = z.object({
  detail: z.string(),
  errors: z.optional(z.array(z.object({ path: z.string(), message: z.string() }))),
  code: z.optional(z.string()),
})
export type ErrorBody = z.output<typeof errorBody>
