import type { Database, Queryable } from '../../../src/platform/database/database.ts'

/** The contents of a migrated database before the first test, as JSON for the test processes. */
export interface DatabaseState {
  /** A value that changes with every change of the schema. */
  schema: string
  tables: ReadonlyArray<{
    /** The quoted name, including the schema. */
    name: string
    /** The quoted names of the columns that an insert can name, which are all except generated columns. */
    columns: string
    /** The rows as a JSON array, which is `[]` for an empty table. */
    rows: string
  }>
  sequences: ReadonlyArray<{ name: string; value: string; isCalled: boolean }>
}

/**
 * Maximum size of a table. Deleted rows still take space, so it is cheaper to replace a database with larger tables.
 */
const MAX_TABLE_BYTES = 512 * 1024

const OWN_SCHEMAS = `('pg_catalog', 'information_schema', 'pg_toast')`

// Each row of a catalog contains the transaction that wrote it. Together, the highest transaction and the number of
// rows show every change of the schema.
const SCHEMA_CATALOGS = [
  'pg_attrdef',
  'pg_attribute',
  'pg_class',
  'pg_constraint',
  'pg_db_role_setting',
  'pg_index',
  'pg_namespace',
  'pg_policy',
  'pg_proc',
  'pg_rewrite',
  'pg_trigger',
  'pg_type',
]

/** Reads the contents that `resetDatabase` restores later. */
export async function readState(sql: Queryable): Promise<DatabaseState> {
  const tables = await sql.unsafe<{ name: string; columns: string }[]>(`
    select format('%I.%I', n.nspname, c.relname) as name,
           string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relkind = 'r' and n.nspname not in ${OWN_SCHEMAS}
    group by 1 order by 1`)
  const state = []
  for (const table of tables) {
    const [found] = await sql.unsafe<{ rows: string }[]>(
      `select coalesce(jsonb_agg(to_jsonb(t)), '[]')::text as rows from only ${table.name} t`,
    )
    state.push({ ...table, rows: found?.rows ?? '[]' })
  }
  return { schema: await readSchema(sql), tables: state, sequences: await readSequences(sql) }
}

/**
 * Restores the contents that the database had when `state` was read. No other session may be connected. Returns false
 * if this is impossible or costs too much; the database must then be dropped.
 */
export async function resetDatabase({ sql, transaction }: Database, state: DatabaseState): Promise<boolean> {
  if ((await readSchema(sql)) !== state.schema) return false
  const used = await sql.unsafe<{ name: string; size_bytes: number }[]>(`
    select format('%I.%I', n.nspname, c.relname) as name, pg_relation_size(c.oid)::int as size_bytes
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname not in ${OWN_SCHEMAS} and pg_relation_size(c.oid) > 0`)
  if (used.some(({ size_bytes }) => size_bytes > MAX_TABLE_BYTES)) return false
  const names = new Set(used.map(({ name }) => name))
  await transaction(async (tx) => {
    // Disable triggers, including those of foreign keys and of tables that refuse deletions.
    await tx`set local session_replication_role = replica`
    const tables = state.tables.filter(({ name }) => names.has(name))
    await tx.unsafe(tables.map(({ name }) => `delete from only ${name}`).join(';'))
    for (const { name, columns, rows } of tables.filter((table) => table.rows !== '[]')) {
      await tx.unsafe(
        `insert into ${name} (${columns}) overriding system value
         select ${columns} from jsonb_populate_recordset(null::${name}, $1::text::jsonb)`,
        [rows],
      )
    }
    const sequences = state.sequences.map(
      ({ name, value, isCalled }) => `setval('${name}', ${value}, ${isCalled})`,
    )
    if (sequences.length > 0) await tx.unsafe(`select ${sequences.join(', ')}`)
  })
  return true
}

async function readSchema(sql: Queryable): Promise<string> {
  const parts = SCHEMA_CATALOGS.map(
    (name) => `(select count(*) || ' ' || coalesce(max(xmin::text::bigint), 0) from pg_catalog.${name})`,
  )
  const [found] = await sql.unsafe<{ schema: string }[]>(
    `select concat_ws(', ', ${parts.join(', ')}) as schema`,
  )
  return found?.schema ?? ''
}

async function readSequences(sql: Queryable): Promise<DatabaseState['sequences']> {
  const names = await sql.unsafe<{ name: string }[]>(`
    select format('%I.%I', n.nspname, c.relname) as name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relkind = 'S' order by 1`)
  if (names.length === 0) return []
  return sql.unsafe<{ name: string; value: string; isCalled: boolean }[]>(
    names
      .map(
        ({ name }) =>
          `select '${name}' as name, last_value::text as value, is_called as "isCalled" from ${name}`,
      )
      .join(' union all '),
  )
}
