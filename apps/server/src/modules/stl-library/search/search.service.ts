import type { ModelSort } from '@pegasus/contracts/stl-library/search'
import type { Database, Queryable } from '../../../platform/database/database.ts'
import type { FoundRows } from '../../../platform/database/list-queries.ts'
import { COUNT_CAP, type FoundPage } from '../../../platform/http/paging.ts'
import { type ModelCursor, encodeModelCursor, listOf } from './model-cursor.ts'
import type { ModelFilter } from './model-filter.ts'
import { countModels, findModels, isTermUsed } from './sorted-models.queries.ts'
import { readListedModels } from './listed-models.queries.ts'
import { MAX_CANDIDATES, findRanked } from './ranked-models.queries.ts'
import { type TagCount, listTags } from './tags.queries.ts'
import { type SearchTerm, findTerms, withFuzzyTerms } from './search-terms.queries.ts'

export type ModelSearch = Omit<ModelFilter, 'terms'> & { search?: string | undefined }

export interface ListPosition {
  sort: ModelSort
  cursor: ModelCursor | null
  limit: number
}

export interface Search {
  /**
   * Models that match. By relevance, fuzzy matches follow a small number of exact ones. In any other order they would
   * mix with them, so there a word is matched fuzzily only if no model contains it.
   */
  find(search: ModelSearch, place: ListPosition): Promise<FoundPage>
  /** The list entries of these models: a JSON array in their order. Addresses in it are to be signed. */
  read(ids: readonly string[]): Promise<string>
  /** Tags of the library, most used first. */
  listTags(asked: { search?: string | undefined; limit: number }): Promise<TagCount[]>
}

const toModelPage = (
  { stamps, next: last }: FoundRows,
  total: number,
  list: ModelCursor['list'],
): FoundPage => {
  if (!last) return { stamps, next: null, total }
  const [id, ...keys] = last
  return { stamps, next: encodeModelCursor({ list, id, keys }), total }
}

/** Skip fuzzy matching above this many hits: nobody reads that far, and it takes longer than the rest. */
const ENOUGH_HITS = 100

/** Searches models. */
export function createSearch({ database }: { database: Database }): Search {
  const { sql } = database

  /**
   * The best way to search depends on how frequent a word is, so the statement is planned for its values each time.
   */
  const ask = <T>({ terms }: ModelFilter, query: (db: Queryable) => Promise<T>): Promise<T> =>
    query(terms.length > 0 ? database.planned : sql)

  /**
   * The best matches and their number, in parallel: most searches have either more matches than are counted, or few
   * enough to rank all.
   */
  const rank = async (filter: ModelFilter, { cursor, limit }: ListPosition) => {
    const listed = (most: number) => ask(filter, (db) => findRanked(db, filter, { cursor, limit, most }))
    const counted = ask(filter, (db) => countModels(db, filter))
    // Later pages need both results anyway.
    const [total, best] = cursor
      ? [await counted, null]
      : await Promise.all([counted, listed(MAX_CANDIDATES)])
    // Countable matches are all ranked; otherwise the list would end before its stated total.
    const isCutShort = total > MAX_CANDIDATES && total <= COUNT_CAP
    if (best && !isCutShort) return { total, rows: best }
    return { total, rows: await listed(isCutShort ? COUNT_CAP : MAX_CANDIDATES) }
  }

  const readRanked = async (filter: ModelFilter, place: ListPosition) => {
    const hits = await rank(filter, place)
    const isEnough = hits.total >= ENOUGH_HITS
    const { total, rows } = isEnough
      ? hits
      : await rank({ ...filter, terms: await withFuzzyTerms(sql, filter.terms) }, place)
    return toModelPage(rows, total, listOf('relevance', filter.isTrash ?? false))
  }

  const readSorted = async (filter: ModelFilter, { sort, cursor, limit }: ListPosition) => {
    // Without words there is nothing to rank by.
    const column = sort === 'relevance' ? 'newest' : sort
    const rows = await ask(filter, (db) => findModels(db, filter, { sort: column, cursor, limit }))
    return toModelPage(rows, rows.total, listOf(column, filter.isTrash ?? false))
  }

  /** The terms, with fuzzy matches for those that no model contains; null if there are none to add. */
  const forgive = async (filter: ModelFilter): Promise<SearchTerm[] | null> => {
    const isTrash = filter.isTrash ?? false
    const isSaid = await Promise.all(
      filter.terms.map((term) => ask(filter, (db) => isTermUsed(db, term, isTrash))),
    )
    const unknown = filter.terms.filter((_, at) => !isSaid[at])
    if (unknown.length === 0) return null
    const known = filter.terms.filter((_, at) => isSaid[at])
    return [...known, ...(await withFuzzyTerms(sql, unknown))]
  }

  return {
    async find({ search, ...rest }, place) {
      const filter = { ...rest, terms: await findTerms(sql, search) }
      if (place.sort === 'relevance' && filter.terms.length > 0) return readRanked(filter, place)
      const page = await readSorted(filter, place)
      if (page.total > 0 || filter.terms.length === 0) return page
      const terms = await forgive(filter)
      return terms ? readSorted({ ...filter, terms }, place) : page
    },

    read: (ids) => readListedModels(sql, ids),

    listTags: ({ search, limit }) => listTags(sql, { search, limit }),
  }
}
