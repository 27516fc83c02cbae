import type { Row } from '../../../platform/database/column-types.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { type SearchWord, matchesWords } from '../../../platform/search/search-words.queries.ts'

type PrinterHit = Row<'printers', 'id' | 'name' | 'model'>

/** Finds printers for the global search, sorted by number. */
export const findPrinterHits = (
  sql: Queryable,
  words: readonly SearchWord[],
  limit: number,
): Promise<PrinterHit[]> =>
  sql<PrinterHit[]>`
    select p.id, p.name, p.model from printers p
    where p.deleted_at is null
      ${matchesWords(sql, words, (pattern) => sql`lower(concat_ws(' ', p.name, p.model, p.label_code)) like ${pattern}`)}
    order by p.number limit ${sql.literal(limit)}`
