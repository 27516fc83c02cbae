import * as z from 'zod/mini'
import { pageQuery, queryText, searchText, timestamp } from '../fields.ts'
import { declareEndpoints } from '../endpoint.ts'
import { LICENSE_TYPES } from './licenses.ts'
import { MODEL_FORMATS, SALE_VERDICTS, stlFile } from './models.ts'

const { get, post, del } = declareEndpoints('stl-library')

/**
 * `relevance` ranks what a search finds, near misses behind few hits; without a search it is the newest first. Largest
 * and smallest go by the file. The bin is newest and oldest by when things got there.
 */
export const MODEL_SORTS = ['newest', 'oldest', 'title', 'largest', 'smallest', 'relevance'] as const
export type ModelSort = (typeof MODEL_SORTS)[number]

const flag = (name: string) => z.optional(z.enum(['true', 'false'], `${name} is true or false`))

/** Width, depth and height of a print bed: `220x220x250`, in millimetres. */
const BED_SIZE = /^\d{1,5}(?:\.\d{1,2})?x\d{1,5}(?:\.\d{1,2})?x\d{1,5}(?:\.\d{1,2})?$/
const day = (name: string) =>
  z.optional(
    z.iso
      .date(`${name} is not a day such as 2026-11-21`)
      // No calendar has a year 0, and the database reads none.
      .check(z.refine((text) => !text.startsWith('0000'), `${name} is in a year that no calendar has`)),
  )

/** What can be asked of the list of models; all of it is joined by "and". */
export const modelFilter = {
  /**
   * Words in any order over title, description, tags, file name and print notes. A slip of the keyboard still finds: by
   * relevance behind the hits, in other orders where no model has the word.
   */
  search: searchText,
  /** Words with commas between: models that have all of them. */
  tags: queryText('tags', 1000),
  license_type: z.optional(z.enum(LICENSE_TYPES, 'License must be one of the licenses offered')),
  sale: z.optional(z.enum(SALE_VERDICTS, `sale is one of ${SALE_VERDICTS.join(', ')}`)),
  /** Print material; its case does not count. */
  material: queryText('material', 100),
  format: z.optional(z.enum(MODEL_FORMATS, `format is one of ${MODEL_FORMATS.join(', ')}`)),
  /** A bed that the model fits on as it lies, or turned on it by 90 degrees. */
  fits: z.optional(z.string().check(z.regex(BED_SIZE, 'fits is a size in millimetres such as 220x220x250'))),
  is_watertight: flag('is_watertight'),
  is_product: flag('is_product'),
  /** Username of who uploaded it. */
  uploaded_by: queryText('uploaded_by', 100),
  /** Days in UTC, both included. */
  created_from: day('created_from'),
  created_to: day('created_to'),
}

export const listModels = get('/api/stl-files', 'signed-in', {
  summary: 'Models, newest first unless sorted otherwise',
  query: z.object({
    ...pageQuery,
    ...modelFilter,
    // Longer than other lists': by title, it names the title that comes last.
    cursor: z.optional(z.string().check(z.maxLength(2500, 'cursor is too long'))),
    sort: z._default(z.enum(MODEL_SORTS, `sort is one of ${MODEL_SORTS.join(', ')}`), 'newest'),
    /** The bin instead of the library. */
    deleted: z.optional(z.enum(['true'], 'deleted is true or absent')),
  }),
  returns: z.array(stlFile),
})

export const listModelTags = get('/api/stl-tags', 'signed-in', {
  summary: 'Tags of the library with how many models have each, the commonest first',
  query: z.object({ search: queryText('search', 50), limit: pageQuery.limit }),
  returns: z.array(z.object({ tag: z.string(), models: z.number() })),
})

/** A search that somebody keeps: the query string of the library's address. */
const savedSearch = z.object({
  id: z.uuid(),
  name: z.string(),
  query: z.string(),
  created_at: timestamp,
})
export type SavedSearch = z.output<typeof savedSearch>

export const listSavedSearches = get('/api/saved-searches', 'signed-in', {
  summary: "The caller's own saved searches, by name",
  returns: z.array(savedSearch),
})

export const saveSearch = post('/api/saved-searches', 'signed-in', {
  summary: 'Keep a search under a name; the same name again replaces it',
  body: z.object({
    name: z.string().check(
      z.trim(),
      z.minLength(1, 'Name is required'),
      z.maxLength(100, 'Name has at most 100 characters'),
      z.refine((text) => !text.includes('\0'), 'Name holds a character that no text has'),
    ),
    query: z.string().check(
      z.maxLength(2000, 'The search is too long'),
      z.refine((text) => !text.includes('\0'), 'The search holds a character that no text has'),
    ),
  }),
  creates: savedSearch,
  alternative: 200,
  errors: ['MALFORMED_REQUEST', 'TOO_MANY_SAVED_SEARCHES', 'IDEMPOTENCY_KEY_REUSED'],
})

export const deleteSavedSearch = del('/api/saved-searches/:id', 'signed-in', {
  summary: 'Forget a saved search',
  errors: ['SAVED_SEARCH_NOT_FOUND'],
})
