import type { Queryable } from '../../platform/database/database.ts'

/** Lists the migrations of the database with the time when each was applied, oldest first. */
export const listAppliedMigrations = (sql: Queryable): Promise<{ name: string; applied_at: string }[]> =>
  sql`select name, applied_at from schema_migrations order by name`

/** Lists the tables with their estimated row counts and their sizes including indexes, largest first. */
export const listTableSizes = (sql: Queryable): Promise<{ name: string; rows: number; bytes: number }[]> =>
  sql`
    select c.relname as name, greatest(c.reltuples, 0)::float8 as rows, pg_total_relation_size(c.oid)::float8 as bytes
    from pg_class c
    where c.relkind = 'r' and c.relnamespace in ('public'::regnamespace, 'pgboss'::regnamespace)
    order by 3 desc, 1`
