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
import { type SearchTerm, findTerms, isInLibrary, withFuzzyTerms } from './search-terms.queries.ts'

export type ModelSearch = Omit<ModelFilter, 'terms'> & { search?: string | undefined }

export interface ListPosition {
  sort: ModelSort
  cursor: ModelCursor | null
  limit: number
}

export interface Search {
  /**
   * Finds the matching models. In a list sorted by relevance, fuzzy matches follow the exact matches if these
   * are few. In any other order the two would mix, so a word is matched fuzzily only if no model contains it.
   */
  find(search: ModelSearch, place: ListPosition): Promise<FoundPage>
  /**
   * Returns the list entries of these models, as a JSON array in the order of `ids`. The caller has to sign the
   * addresses in it.
   */
  read(ids: readonly string[]): Promise<string>
  /** Returns the tags of the library, most used first. */
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

/**
 * Above this many hits, fuzzy matching is skipped, because nobody reads that far and it takes longer than the
 * rest of the search.
 */
const ENOUGH_HITS = 100

/** Searches models. */
export function createSearch({ database }: { database: Database }): Search {
  const { sql } = database

  /**
   * Runs a query. The best plan depends on how frequent a word is, so a statement with search words is
   * planned for its values each time.
   */
  const ask = <T>({ terms }: ModelFilter, query: (db: Queryable) => Promise<T>): Promise<T> =>
    query(terms.length > 0 ? database.planned : sql)

  /**
   * Returns the best matches and the total. Both are read in parallel, because most searches have either more
   * matches than are counted, or so few that all of them are ranked.
   */
  const rank = async (filter: ModelFilter, { cursor, limit }: ListPosition) => {
    const listed = (most: number) => ask(filter, (db) => findRanked(db, filter, { cursor, limit, most }))
    const counted = ask(filter, (db) => countModels(db, filter))
    // On later pages, wait for the total, which decides how many models are ranked.
    const [total, best] = cursor
      ? [await counted, null]
      : await Promise.all([counted, listed(MAX_CANDIDATES)])
    // If the total is within the cap, rank all matches; otherwise the list would end before its stated total.
    const isCutShort = total > MAX_CANDIDATES && total <= COUNT_CAP
    if (best && (best.isFinal || !isCutShort)) return { total, rows: best }
    return { total, rows: await listed(isCutShort ? COUNT_CAP : MAX_CANDIDATES) }
  }

  const readRanked = async (filter: ModelFilter, place: ListPosition) => {
    const hits = filter.terms.every(isInLibrary) ? await rank(filter, place) : null
    const { total, rows } =
      hits && hits.total >= ENOUGH_HITS
        ? hits
        : await rank({ ...filter, terms: await withFuzzyTerms(sql, filter.terms) }, place)
    return toModelPage(rows, total, listOf('relevance', filter.isTrash ?? false))
  }

  const readSorted = async (filter: ModelFilter, { sort, cursor, limit }: ListPosition) => {
    // A search without words has nothing to rank by.
    const column = sort === 'relevance' ? 'newest' : sort
    const rows = await ask(filter, (db) => findModels(db, filter, { sort: column, cursor, limit }))
    return toModelPage(rows, rows.total, listOf(column, filter.isTrash ?? false))
  }

  /**
   * Returns the terms of the search, with fuzzy matches for each term that no model contains. Returns null if
   * every term is contained in some model.
   */
  const forgive = async (filter: ModelFilter): Promise<SearchTerm[] | null> => {
    const isTrash = filter.isTrash ?? false
    const isSaid = await Promise.all(
      filter.terms.map(
        async (term) => isInLibrary(term) && (await ask(filter, (db) => isTermUsed(db, term, isTrash))),
      ),
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
      const isKnown = filter.terms.every(isInLibrary)
      const page = isKnown ? await readSorted(filter, place) : null
      if (page && (page.total > 0 || filter.terms.length === 0)) return page
      const terms = await forgive(filter)
      return terms ? readSorted({ ...filter, terms }, place) : (page ?? readSorted(filter, place))
    },

    read: (ids) => readListedModels(sql, ids),

    listTags: ({ search, limit }) => listTags(sql, { search, limit }),
  }
}
