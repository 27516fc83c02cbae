import type { Readable } from 'node:stream'
import type { BulkConnection } from '../../platform/database/bulk-copy.ts'
import { Identifier } from '../../platform/database/sql.ts'

/** The table of migrations. Backups leave it out, because a restore runs the migrations, which write the table. */
const HISTORY = 'schema_migrations'
/**
 * The table with the progress of an unfinished migration. Backups leave it out, because a server that makes backups has
 * finished all of its migrations.
 */
const HISTORY_STEPS = 'schema_migration_steps'

/** A table and its columns with data. Generated columns are left out, because the database computes them. */
export interface CopiedTable {
  name: string
  columns: string[]
}

/**
 * The table of row changes. Backups leave it out, because its transaction numbers are valid only on this database
 * server.
 */
const ROW_CHANGES = 'row_changes'
/** The table of running servers. Backups leave it out, because a restored database has other servers. */
const SERVERS = 'server_processes'
/**
 * The table of the periods in which servers used a file store. Backups leave it out, because a restored database has
 * its own file store.
 */
const STORE_USES = 'file_store_uses'
/** The table of the demo. Backups leave it out, because the database and the files of the demo are not backed up. */
const DEMOS = 'demos'

/**
 * Lists the tables to back up, sorted by name. Leaves out the task queue, because the server finds unfinished work at
 * the next start.
 */
export const listTables = (connection: BulkConnection): Promise<CopiedTable[]> =>
  connection.run<CopiedTable>(`
    select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
      and c.relname not in ('${HISTORY}', '${HISTORY_STEPS}', '${ROW_CHANGES}', '${SERVERS}', '${STORE_USES}', '${DEMOS}')
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
    group by c.relname order by c.relname`)

export interface SequenceState {
  name: string
  value: string
  isCalled: boolean
}

/** Reads the state of every sequence, so that numbering continues after a restore. */
export async function listSequences(connection: BulkConnection): Promise<SequenceState[]> {
  const sequences = await connection.run<{ name: string }>(`
    select c.relname as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'S' order by c.relname`)
  const states: SequenceState[] = []
  for (const { name } of sequences) {
    const [state] = await connection.run<{ value: string; called: boolean }>(
      `select last_value::text as value, is_called as called from ${new Identifier(name).text}`,
    )
    if (state) states.push({ name, value: state.value, isCalled: state.called })
  }
  return states
}

export const listMigrations = (connection: BulkConnection): Promise<{ name: string; sha256: string }[]> =>
  connection.run(`select name, sha256 from ${HISTORY} order by name`)

export async function countRows(connection: BulkConnection, table: string): Promise<number> {
  const [row] = await connection.run<{ rows: string }>(
    `select count(*)::text as rows from ${new Identifier(table).text}`,
  )
  return Number(row?.rows ?? 0)
}

interface ForeignKey {
  table: string
  name: string
  definition: string
}

/**
 * Replaces the content of all tables, in the transaction of the caller. Triggers are disabled, so that the rows are
 * stored unchanged. Foreign keys are dropped, so that the rows can be written in any order. They are checked when they
 * are created again. The database account must own the tables.
 */
export async function replaceTables(
  connection: BulkConnection,
  tables: readonly CopiedTable[],
  open: (table: CopiedTable) => Readable,
): Promise<void> {
  const quoted = (name: string) => new Identifier(name).text
  const keys = await connection.run<ForeignKey>(`
    select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`)
  const own = await listTables(connection)
  for (const { table, name } of keys) await connection.run(`alter table ${table} drop constraint ${name}`)
  for (const { name } of own) await connection.run(`alter table ${quoted(name)} disable trigger user`)
  await connection.run(`truncate ${own.map(({ name }) => quoted(name)).join(', ')}`)
  for (const table of tables) await connection.writeTable(table.name, table.columns, open(table))
  for (const { name } of own) await connection.run(`alter table ${quoted(name)} enable trigger user`)
  for (const { table, name, definition } of keys)
    await connection.run(`alter table ${table} add constraint ${name} ${definition}`)
}

export async function restoreSequences(
  connection: BulkConnection,
  sequences: readonly SequenceState[],
): Promise<void> {
  for (const { name, value, isCalled } of sequences) {
    const sequence = new Identifier(name).text.replaceAll("'", "''")
    await connection.run(`select setval('public.${sequence}', ${BigInt(value)}, ${isCalled})`)
  }
}
