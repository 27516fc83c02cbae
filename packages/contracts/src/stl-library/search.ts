import * as z from 'zod/mini'
import {
  pageQuery,
  queryText,
  searchText,
  timestamp,
  deletedOnly,
  requiredText,
  isStorable,
} from '../fields.ts'
import { declareEndpoints } from '../endpoint.ts'
import { LICENSE_TYPES } from './licenses.ts'
import { MODEL_FORMATS, SALE_VERDICTS, listedModel } from './models.ts'

const { get, list, post, del } = declareEndpoints('stl-library', { notFound: 'SAVED_SEARCH_NOT_FOUND' })

/**
 * `relevance` ranks by how well a model matches the search. If few models match, fuzzy matches follow.
 * Without a search, `relevance` sorts newest first. `largest` and `smallest` sort by file size. In the trash,
 * `newest` and `oldest` sort by the time of deletion.
 */
export const MODEL_SORTS = ['newest', 'oldest', 'title', 'largest', 'smallest', 'relevance'] as const
export type ModelSort = (typeof MODEL_SORTS)[number]

const flag = (name: string) => z.optional(z.enum(['true', 'false'], `${name} must be true or false`))

/** Matches the width, depth and height of a print bed in millimeters, such as `220x220x250`. */
const BED_SIZE = /^\d{1,5}(?:\.\d{1,2})?x\d{1,5}(?:\.\d{1,2})?x\d{1,5}(?:\.\d{1,2})?$/
const day = (name: string) =>
  z.optional(
    z.iso
      .date(`${name} must be a day such as 2026-11-21`)
      // PostgreSQL has no year 0.
      .check(z.refine((text) => !text.startsWith('0000'), `${name} must not be in the year 0`)),
  )

/** Filters of the list of models. A model must match all of them. */
const modelFilter = {
  /**
   * Words that may be in any order in title, description, tags, file name and print notes. Words with typos
   * also match. If the list is sorted by relevance, these fuzzy matches follow the exact ones. In other
   * orders, they appear only if no model matches exactly.
   */
  search: searchText,
  /** Comma-separated tags. A model must have all of them. */
  tags: queryText('tags', 1000),
  license_type: z.optional(z.enum(LICENSE_TYPES, 'License must be one of the licenses offered')),
  sale: z.optional(z.enum(SALE_VERDICTS, `sale must be one of ${SALE_VERDICTS.join(', ')}`)),
  /** Print material, in upper or lower case. */
  material: queryText('material', 100),
  format: z.optional(z.enum(MODEL_FORMATS, `format must be one of ${MODEL_FORMATS.join(', ')}`)),
  /** Size of a print bed on which the model fits, unchanged or rotated by 90 degrees. */
  fits: z.optional(
    z.string().check(z.regex(BED_SIZE, 'fits must be a size in millimeters such as 220x220x250')),
  ),
  is_watertight: flag('is_watertight'),
  is_product: flag('is_product'),
  /** Username of the uploader. */
  uploaded_by: queryText('uploaded_by', 100),
  /** Models that were added on this day (UTC) or later. */
  created_from: day('created_from'),
  /** Models that were added on this day (UTC) or earlier. */
  created_to: day('created_to'),
}

export const listModels = list('/api/stl-files', 'signed-in', {
  summary: 'Models, newest first unless sorted otherwise',
  filter: {
    ...modelFilter,
    // The cursor is longer than in other lists, because it contains the last title if the list is sorted by
    // title.
    cursor: z.optional(z.string().check(z.maxLength(2500, 'cursor is too long'))),
    sort: z._default(z.enum(MODEL_SORTS, `sort must be one of ${MODEL_SORTS.join(', ')}`), 'newest'),
    /** Lists the trash instead of the library. */
    deleted: deletedOnly,
  },
  of: listedModel,
})

export const listModelTags = get('/api/stl-tags', 'signed-in', {
  summary: 'Tags of the library with their number of models, most frequent first',
  query: z.object({ search: queryText('search', 50), limit: pageQuery.limit }),
  returns: z.array(z.object({ tag: z.string(), models: z.number() })),
})

/** The lists whose searches can be saved. */
export const SEARCHED_LISTS = ['library', 'orders', 'inventory', 'print-queue', 'filament'] as const
export type SearchedList = (typeof SEARCHED_LISTS)[number]
const searchedList = z._default(
  z.enum(SEARCHED_LISTS, `list must be one of ${SEARCHED_LISTS.join(', ')}`),
  'library',
)

/** A search that a person has saved. It is the query string of the list's address. */
const savedSearch = z.object({
  id: z.uuid(),
  list: z.enum(SEARCHED_LISTS),
  name: z.string(),
  query: z.string(),
  /** Whether everybody sees it. Only its owner can change or delete it. */
  is_shared: z.boolean(),
  is_mine: z.boolean(),
  owner_name: z.string(),
  created_at: timestamp,
})
export type SavedSearch = z.output<typeof savedSearch>

export const listSavedSearches = get('/api/saved-searches', 'signed-in', {
  summary: "The caller's saved searches of one list and the searches that others share, by name",
  query: z.object({ list: searchedList }),
  returns: z.array(savedSearch),
})

export const saveSearch = post('/api/saved-searches', 'signed-in', {
  summary: 'Save a search under a name; an existing search with this name is replaced',
  body: z.object({
    name: requiredText(100, 'Name'),
    list: searchedList,
    query: z
      .string()
      .check(
        z.maxLength(2000, 'The search is too long'),
        z.refine(isStorable, 'The search contains an invalid character'),
      ),
    /**
     * Whether everybody sees it. If this is absent, a replaced search keeps its setting. Viewers cannot
     * share.
     */
    is_shared: z.optional(z.boolean()),
  }),
  creates: savedSearch,
  alternative: 200,
  errors: ['MALFORMED_REQUEST', 'FORBIDDEN', 'TOO_MANY_SAVED_SEARCHES', 'IDEMPOTENCY_KEY_REUSED'],
})

export const deleteSavedSearch = del('/api/saved-searches/:id', 'signed-in', {
  summary: 'Delete a saved search',
})
