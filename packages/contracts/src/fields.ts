import * as z from 'zod/mini'

/** A UUID in a path. What is no UUID names nothing, so the server answers 404 for it. */
export const idParams = z.object({ id: z.uuid() })

/** A moment: RFC 3339 in UTC. */
export const timestamp = z.iso.datetime({ offset: true })

const DEFAULT_PAGE_SIZE = 100
export const MAX_PAGE_SIZE = 1000

/** Every list takes these; the next page's address comes back in the `Link` header. */
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

/** A text of a query; the database knows no zero character. */
export const queryText = (name: string, maxLength: number) =>
  z.optional(
    z.string().check(
      z.maxLength(maxLength, `${name} is too long`),
      z.refine((text) => !text.includes('\0'), `${name} holds a character that no text has`),
    ),
  )

const MAX_SEARCH_WORDS = 10

/** Words to look for, each of which must occur. Each costs a look at the whole list, hence the limit. */
export const searchText = queryText('search', 200).check(
  z.refine(
    (text) => (text ?? '').trim().split(/\s+/).length <= MAX_SEARCH_WORDS,
    `Search for at most ${MAX_SEARCH_WORDS} words at a time.`,
  ),
)

export const ACTOR_KINDS = ['user', 'api_key', 'system'] as const

/** Who did something: a person, an API key, or the product itself. The name is as it was then. */
export const actor = z.object({
  kind: z.enum(ACTOR_KINDS),
  id: z.nullable(z.uuid()),
  name: z.string(),
})

/** Answer of every failed call of the product API. */
export const errorBody = z.object({
  detail: z.string(),
  errors: z.optional(z.array(z.object({ path: z.string(), message: z.string() }))),
  code: z.optional(z.string()),
})
export type ErrorBody = z.output<typeof errorBody>
