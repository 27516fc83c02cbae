import { codeOf } from '../../platform/database/connections/connect-error.ts'
import type { Database, Queryable, StatementTime } from '../../platform/database/database.ts'

interface StatementStatistics {
  since: Date
  statements: StatementTime[]
}

/**
 * The error codes with which PostgreSQL refuses the statistics. The extension is not loaded, this account may not read
 * them, or the extension is too old: before version 1.9 it has no view of its last reset, and before 1.8 its columns
 * have other names.
 */
const REFUSED = new Set(['55000', '42501', '42P01', '42703'])

/**
 * Returns the slow statements that the extension pg_stat_statements has counted for this account in this database. The
 * longest call of each took at least `leastMs`, and those with the longest mean come first. Returns null if the
 * statistics cannot be read. Leaves out commands that neither read nor write rows, because their texts can contain
 * values.
 */
export async function readStatementStatistics(
  { sql }: Database,
  limits: { leastMs: number; limit: number },
): Promise<StatementStatistics | null> {
  const schema = await findExtension(sql)
  if (schema === null) return null
  try {
    return await readStatistics(sql, schema, limits)
  } catch (error) {
    if (REFUSED.has(codeOf(error))) return null
    throw error
  }
}

/** Returns the schema of the extension pg_stat_statements. Returns null if the database does not have the extension. */
async function findExtension(sql: Queryable): Promise<string | null> {
  const [row] = await sql<{ schema: string }[]>`
    select nspname::text as schema from pg_extension join pg_namespace n on n.oid = extnamespace
    where extname = 'pg_stat_statements'`
  return row?.schema ?? null
}

async function readStatistics(
  sql: Queryable,
  schema: string,
  { leastMs, limit }: { leastMs: number; limit: number },
): Promise<StatementStatistics> {
  const from = sql(schema)
  const [[info], statements] = await Promise.all([
    sql<[{ since: string }]>`select stats_reset as since from ${from}.pg_stat_statements_info`,
    sql<StatementTime[]>`
      select query as text, calls::float8 as count, mean_exec_time as "meanMs", max_exec_time as "longestMs"
      from ${from}.pg_stat_statements
      where dbid = (select oid from pg_database where datname = current_database())
        and userid = (select oid from pg_roles where rolname = current_user)
        and max_exec_time >= ${leastMs} and query ~* '^\\s*(with|select|insert|update|delete|merge)\\M'
      order by mean_exec_time desc limit ${limit}`,
  ])
  return { since: new Date(info.since), statements }
}
