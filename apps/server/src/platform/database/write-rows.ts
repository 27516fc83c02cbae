import type { Insert, Update } from './column-types.ts'
import { JSON_COLUMNS, type Tables } from './rows.ts'
import type { Fragment } from './search-patterns.ts'
import type { Queryable, SqlValue } from './sql.ts'

/**
 * Returns `insert into table (…) values (…)`. It can be used alone or as the start of a longer statement
 * (`returning`, `on conflict`). A column that is left out or undefined gets its default; null is written as
 * null. Pass at least one row.
 */
export function insertInto<Table extends keyof Tables>(
  sql: Queryable,
  table: Table,
  rows: Insert<Table> | readonly Insert<Table>[],
): Fragment {
  const records: readonly Record<string, unknown>[] = Array.isArray(rows) ? rows : [rows]
  const columns = [...new Set(records.flatMap(definedColumns))]
  const tuples = records.map((record) => {
    const values = columns.map((column) => toParameter(sql, table, column, record[column]))
    return sql`(${sql.list(values)})`
  })
  const names = columns.map((column) => sql(column))
  return sql`insert into ${sql(table)} (${sql.list(names)}) values ${sql.list(tuples)}`
}

/**
 * Returns `update table set …`. The caller appends further assignments and `where`. A column that is left out
 * or undefined keeps its value; null is written as null. Throws if there is no column to change.
 */
export function updateTable<Table extends keyof Tables>(
  sql: Queryable,
  table: Table,
  changes: Update<Table>,
): Fragment {
  const record: Record<string, unknown> = changes
  const columns = definedColumns(record)
  if (columns.length === 0) throw new Error(`An update of ${table} changes no column.`)
  const changed = columns.map(
    (column) => sql`${sql(column)} = ${toParameter(sql, table, column, record[column])}`,
  )
  return sql`update ${sql(table)} set ${sql.list(changed)}`
}

/** Tables whose rows have a revision. */
type RevisedTable = {
  [Table in keyof Tables]: Tables[Table] extends { revision: unknown; updated_at: unknown } ? Table : never
}[keyof Tables]

/** Changes columns of a row, and updates its `updated_at` and revision. Throws like `updateTable`. */
export async function updateRevised<Table extends RevisedTable>(
  sql: Queryable,
  table: Table,
  id: string,
  changes: Update<Table>,
  now: Date,
): Promise<void> {
  const columns = { ...changes, updated_at: now }
  await sql`${updateTable(sql, table, columns)}, revision = revision + 1 where id = ${id}`
}

const definedColumns = (record: Record<string, unknown>): string[] =>
  Object.keys(record).filter((column) => record[column] !== undefined)

function toParameter(sql: Queryable, table: keyof Tables, column: string, value: unknown): SqlValue {
  if (value === undefined) return sql`default`
  return value !== null && JSON_COLUMNS[table]?.includes(column) ? sql.json(value) : (value as SqlValue)
}
