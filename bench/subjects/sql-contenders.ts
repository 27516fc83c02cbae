import { findModels } from '../../apps/server/src/modules/stl-library/search/sorted-models.queries.ts'
import type { Database } from '../../apps/server/src/platform/database/database.ts'
import { idsIn, readFound } from '../../apps/server/src/platform/database/list-queries.ts'
import { createSql } from '../../apps/server/src/platform/database/sql.ts'
import { VALUE_TYPES } from '../../apps/server/src/platform/database/value-types.ts'
import { requireFrom } from '../lib/workspace-packages.ts'

export interface Page {
  cursor: { createdAt: string; id: string }
  limit: number
}

export interface PageReader {
  name: string
  /** Reads a page and returns the number of rows. */
  readRows(page: Page): Promise<number>
  close(): Promise<unknown>
}

export const FILTER = { tags: [], terms: [], licenseType: 'CC BY' as const }
const CONNECTIONS = 10

const placeOf = ({ cursor, limit }: Page) =>
  ({ sort: 'newest', limit, cursor: { list: 'newest', keys: [cursor.createdAt], id: cursor.id } }) as const

/** Returns the statement that the server builds from fragments, as the driver sends it. */
export async function recordStatement(page: Page): Promise<string> {
  const texts: string[] = []
  const sql = createSql(async ({ text }) => {
    texts.push(text)
    return [{ total: 0, found: '' }]
  })
  await findModels(sql, FILTER, placeOf(page))
  return texts[0] ?? ''
}

/** Counts the rows of a page, which the statement returns as one string. */
const rowsIn = ({ found }: { found: string }, limit: number): number =>
  idsIn(readFound(found, limit).stamps).length

/** Returns the parameters of the list. The license is there twice, because both the count and the page use it. */
const listParameters = ({ cursor }: Page) => [
  FILTER.licenseType,
  FILTER.licenseType,
  cursor.createdAt,
  cursor.id,
]

/** Reads with the server's own queries: tagged templates with fragments for their optional parts. */
export const productReader = (database: Database): PageReader => ({
  name: 'tagged templates with fragments (the product)',
  readRows: async (page) => idsIn((await findModels(database.sql, FILTER, placeOf(page))).stamps).length,
  close: async () => undefined,
})

/** Reads from the same pool, with text and parameters written by hand. */
export const unsafeReader = (database: Database, list: string): PageReader => ({
  name: 'the same pool, text and parameters by hand',
  readRows: async (page) =>
    rowsIn((await database.sql.unsafe<[{ found: string }]>(list, listParameters(page)))[0], page.limit),
  close: async () => undefined,
})

interface PgPool {
  query(query: { name: string; text: string; values: unknown[] }): Promise<{ rows: unknown[] }>
  end(): Promise<void>
}
interface Pg {
  Pool: new (options: object) => PgPool
}

/** Reads with the bare driver and named statements. */
export function pgReader(databaseUrl: string, list: string): PageReader {
  const pg = requireFrom('server')('pg') as Pg
  const url = new URL(databaseUrl)
  const pool = new pg.Pool({
    host: url.searchParams.get('host'),
    port: Number(url.port),
    user: url.username,
    password: decodeURIComponent(url.password),
    database: url.pathname.slice(1),
    max: CONNECTIONS,
    // Parse values as in the server, so that both sides do the same work.
    types: VALUE_TYPES,
  })
  return {
    name: 'the driver alone, named statements',
    readRows: async (page) =>
      rowsIn(
        (await pool.query({ name: 'list', text: list, values: listParameters(page) })).rows[0] as {
          found: string
        },
        page.limit,
      ),
    close: () => pool.end(),
  }
}
