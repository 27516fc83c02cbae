import type { Database, Sql } from '../../src/platform/database/database.ts'
import { collectSql } from './collect.ts'
import type { SourceFile } from './source.ts'

export interface Checked {
  templates: number
  prepared: number
  /** The templates for which PostgreSQL accepts no statement, each with its last error. */
  refused: string[]
}

const STATEMENT = /^\(*\s*(select|insert|update|delete|with|merge)\b/i
/**
 * Matches commands that PostgreSQL cannot prepare. The check runs them instead; their effect ends with the transaction.
 */
const COMMAND = /^(set local|lock table)\b/i

/**
 * Prepares every statement that the files can build. A fragment is checked as part of each statement that uses it.
 * `refused` lists the templates of which PostgreSQL accepts no statement.
 */
export async function checkStatements(database: Database, files: readonly SourceFile[]): Promise<Checked> {
  const columns = await readWritableColumns(database.sql)
  const accepted = new Set<string>()
  const complaints = new Map<string, string>()
  const texts = new Map<string, string | null>()
  for (const file of files) {
    for (const statement of collectSql(file, (table) => columns.get(table) ?? 'no such table')) {
      const text = statement.text.replace(/--.*$/gm, '').trim()
      const known = texts.get(text)
      const complaint = known === undefined ? await findComplaint(database, text) : known
      texts.set(text, complaint)
      for (const template of statement.templates) {
        if (complaint === null) accepted.add(template)
        else complaints.set(template, `${complaint}\n  ${text}`)
      }
    }
  }
  const templates = files.flatMap((file) => [...file.templates.values()])
  return {
    templates: templates.length,
    prepared: [...texts.values()].filter((complaint) => complaint === null).length,
    refused: templates
      .filter((template) => !accepted.has(template))
      .map((template) => `${template}: ${complaints.get(template) ?? 'no function makes a statement of it'}`),
  }
}

/** Returns PostgreSQL's error for a statement, or null if PostgreSQL accepts it. */
async function findComplaint({ sql, transaction }: Database, text: string): Promise<string | null> {
  if (COMMAND.test(text)) return complaintOf(transaction((tx) => tx.unsafe(text)))
  if (!STATEMENT.test(text)) return 'it stands in no statement'
  return complaintOf(sql.unsafe(`prepare checked as ${text}; deallocate checked`))
}

const complaintOf = (answer: Promise<unknown>): Promise<string | null> =>
  answer.then(
    () => null,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )

/** Returns, for each table, one column that an update may write. */
async function readWritableColumns(sql: Sql): Promise<Map<string, string>> {
  const rows = await sql<{ table: string; column: string }[]>`
    select table_name as table, min(column_name) as column from information_schema.columns
    where table_schema = current_schema() and is_generated = 'NEVER' and is_identity = 'NO' group by table_name`
  return new Map(rows.map(({ table, column }) => [table, column]))
}
