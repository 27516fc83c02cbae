import { createRequire } from 'node:module'
import {
  countModels,
  listModels,
} from '../../apps/server/src/modules/stl-library/search/model-list.queries.ts'
import type { Database, Sql } from '../../apps/server/src/platform/database/database.ts'
import { parseDatabaseUrl } from '../../apps/server/src/platform/database/database-url.ts'
import { VALUE_TYPES } from '../../apps/server/src/platform/database/value-types.ts'
import { COUNT_CAP } from '../../apps/server/src/platform/http/paging.ts'
import { partOf } from '../lib/parts.ts'

export interface Page {
  cursor: { createdAt: string; id: string }
  limit: number
}

export interface PageReader {
  name: string
  /** Returns the number of rows. */
  readRows(page: Page): Promise<number>
  count(): Promise<unknown>
  close(): Promise<unknown>
}

export const FILTER = { tags: [], terms: [], licenseType: 'CC BY' as const }
const CONNECTIONS = 10
const COUNT_PARAMETERS = [FILTER.licenseType, COUNT_CAP + 1]

const placeOf = ({ cursor, limit }: Page) =>
  ({ sort: 'newest', limit, cursor: { list: 'newest', keys: [cursor.createdAt], id: cursor.id } }) as const

/** The SQL of the product's fragments, recorded as the driver sends it. */
export interface Statements {
  list: string
  count: string
}

export async function recordStatements(databaseUrl: string, page: Page): Promise<Statements> {
  const texts: string[] = []
  const sql = connectAndListen(databaseUrl, (text) => texts.push(text))
  await listModels(sql, FILTER, placeOf(page))
  await countModels(sql, FILTER)
  await sql.end()
  const [list = '', count = ''] = texts
  return { list, count }
}

/** One connection that records what it sends. */
function connectAndListen(databaseUrl: string, hear: (text: string) => void): Sql {
  const { url, socketFolder } = parseDatabaseUrl(databaseUrl)
  const create = partOf('server')('postgres') as (url: string, options: object) => Sql
  const debug = (_connection: number, text: string) => hear(text)
  return create(url, {
    max: 1,
    fetch_types: false,
    debug,
    ...(socketFolder !== null && { host: socketFolder }),
  })
}

const listParameters = ({ cursor, limit }: Page) => [
  FILTER.licenseType,
  cursor.createdAt,
  cursor.id,
  limit + 1,
]

/** The product's own queries: tagged templates, with optional parts as fragments. */
export const productReader = (database: Database): PageReader => ({
  name: 'tagged templates with fragments (the product)',
  readRows: async (page) => (await listModels(database.sql, FILTER, placeOf(page))).length,
  count: () => countModels(database.sql, FILTER),
  close: async () => undefined,
})

/** The same driver with text and parameters written by hand. */
export const unsafeReader = (database: Database, { list, count }: Statements): PageReader => ({
  name: 'the same driver, text and parameters by hand',
  readRows: async (page) => (await database.sql.unsafe(list, listParameters(page), { prepare: true })).length,
  count: () => database.sql.unsafe(count, COUNT_PARAMETERS, { prepare: true }),
  close: async () => undefined,
})

interface PgPool {
  query(query: { name: string; text: string; values: unknown[] }): Promise<{ rows: unknown[] }>
  end(): Promise<void>
}
interface Pg {
  Pool: new (options: object) => PgPool
  types: { setTypeParser(oid: number, parse: (text: string) => unknown): void }
}

/** The other driver, which the task queue brings along; null if it is missing. */
export function pgReader(databaseUrl: string, { list, count }: Statements): PageReader | null {
  const pg = findPg()
  if (!pg) return null
  // Values are parsed as in the product, so that both drivers do the same work.
  for (const type of Object.values(VALUE_TYPES))
    for (const oid of type.from) pg.types.setTypeParser(oid, (text) => type.parse(text))
  const url = new URL(databaseUrl)
  const pool = new pg.Pool({
    host: url.searchParams.get('host'),
    port: Number(url.port),
    user: url.username,
    password: decodeURIComponent(url.password),
    database: url.pathname.slice(1),
    max: CONNECTIONS,
  })
  return {
    name: 'pg, named statements',
    readRows: async (page) =>
      (await pool.query({ name: 'list', text: list, values: listParameters(page) })).rows.length,
    count: () => pool.query({ name: 'count', text: count, values: COUNT_PARAMETERS }),
    close: () => pool.end(),
  }
}

function findPg(): Pg | null {
  try {
    return createRequire(partOf('server').resolve('pg-boss'))('pg') as Pg
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND') return null
    throw error
  }
}
