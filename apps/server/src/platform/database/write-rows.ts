import type { Insert, Update } from './column-types.ts'
import type { Queryable } from './database.ts'
import { JSON_COLUMNS, type Tables } from './rows.ts'
import type { Fragment } from './search-patterns.ts'

/**
 * `insert into table (…) values (…)`. It can be run alone or begin a longer statement (`returning`, `on conflict`). A column
 * that is left out or undefined gets its default; null is written as null. Pass at least one row.
 */
export function insertInto<Table extends keyof Tables>(
  sql: Queryable,
  table: Table,
  rows: Insert<Table> | readonly Insert<Table>[],
): Fragment {
  const records: readonly Record<string, unknown>[] = Array.isArray(rows) ? rows : [rows]
  const columns = [...new Set(records.flatMap(definedColumns))]
  const values = records.map((record) =>
    Object.fromEntries(
      columns.map((column) => [
        column,
        record[column] === undefined ? sql`default` : toParameter(sql, table, column, record[column]),
      ]),
    ),
  )
  return sql`insert into ${sql(table as string)} ${sql(values as DriverRow[], ...columns)}`
}

/**
 * `update table set …`. Append further columns and `where`. A column that is left out or undefined keeps its value; null is
 * written as null. Throws if no column is left.
 */
export function updateTable<Table extends keyof Tables>(
  sql: Queryable,
  table: Table,
  changes: Update<Table>,
): Fragment {
  const record: Record<string, unknown> = changes
  const columns = definedColumns(record)
  if (columns.length === 0) throw new Error(`An update of ${table} changes no column.`)
  const values = Object.fromEntries(
    columns.map((column) => [column, toParameter(sql, table, column, record[column])]),
  )
  return sql`update ${sql(table as string)} set ${sql(values as DriverRow, ...columns)}`
}

/** A parameter for jsonb. Without it the driver would send an array as a PostgreSQL array. */
export const json = (sql: Queryable, value: unknown) => sql.json(value as Parameters<Queryable['json']>[0])

/** A row in the types of the driver. */
type DriverRow = Record<string, string>

const definedColumns = (record: Record<string, unknown>): string[] =>
  Object.keys(record).filter((column) => record[column] !== undefined)

function toParameter(sql: Queryable, table: keyof Tables, column: string, value: unknown): unknown {
  return value !== null && JSON_COLUMNS[table]?.includes(column) ? json(sql, value) : value
}
