import type { Row } from '../../../platform/database/column-types.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { matchesEveryWord } from '../../../platform/database/search-patterns.ts'

type PrinterHit = Row<'printers', 'id' | 'name' | 'model'>

/** Finds printers for the global search, sorted by number. */
export const findPrinterHits = (sql: Queryable, search: string, limit: number): Promise<PrinterHit[]> =>
  sql<PrinterHit[]>`
    select p.id, p.name, p.model from printers p
    where p.deleted_at is null
      ${matchesEveryWord(sql, search, (pattern) => sql`lower(concat_ws(' ', p.name, p.model, p.label_code)) like ${pattern}`)}
    order by p.number limit ${sql.literal(limit)}`
