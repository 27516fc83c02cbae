import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createTestDatabase } from '../support/database/test-database.ts'
import { checkStatements } from './check-statements.ts'
import { sourcesWithSql, sourcesWithUnsafe } from './collect.ts'
import { readSource } from './source.ts'

/** The files whose templates this test does not check, each with the reason. */
const UNCHECKED: Readonly<Record<string, string>> = {
  'modules/filament/spoolman/extra-fields/extra-filters.ts':
    'the type of a field decides about its condition; its own test runs the condition of each type',
  'modules/system/slow-statements.queries.ts':
    'reads an extension that a new database does not have; its own test runs it on a PostgreSQL that has it',
  'platform/database/write-rows.ts':
    'builds statements from columns that the compiler has checked; its own test runs them',
}

/** The files that call `unsafe` with a string instead of using a template, each with the reason. */
const TEXTS: Readonly<Record<string, string>> = {
  'demo-shop/demo-database.ts': 'statements for a whole database, which take no parameters',
  'modules/filament/spoolman/extra-fields/extra-filters.ts':
    'the texts are constants of the file, and are checked here as part of its templates',
  'modules/filament/spoolman/spoolman.queries.ts':
    'the texts are constants of the file, and are checked here as part of its templates',
  'modules/users/rest/role-rows.queries.ts': 'the request says which columns; its own tests run it',
  'platform/database/advisory-lock.ts': 'settings of the session',
  'platform/database/extensions.ts': 'creates extensions before there is a schema',
  'platform/database/migrate.ts': 'the migrations themselves',
  'platform/database/migrations/apply-in-steps.ts': 'the statements of migrations',
  'platform/database/savepoint.ts': 'savepoints, which the check cannot prepare',
  'platform/tasks/boss-adapter.ts': "the task library's own statements",
}

async function open() {
  const { database, drop } = await createTestDatabase()
  onTestFinished(drop)
  return database
}

/** Writes a source file with this text to a temporary folder. */
async function aSource(text: string) {
  const folder = await mkdtemp(join(tmpdir(), 'pegasus-statements-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'example.ts'), text)
  return readSource(join(folder, 'example.ts'))
}

describe('the SQL statements of the server', () => {
  it('all SQL statements of the server can be prepared against the migrated schema', async ({ annotate }) => {
    const files = sourcesWithSql().filter(({ name }) => !(name in UNCHECKED))
    const { templates, prepared, refused } = await checkStatements(await open(), files)
    await annotate(`prepared ${prepared} statements of ${templates} templates in ${files.length} files`)
    expect(refused).toEqual([])
    // Fail if the search finds too few statements.
    expect(prepared).toBeGreaterThan(templates)
  })

  it('every SQL statement is a tagged template, except in the listed files', () => {
    expect(sourcesWithUnsafe()).toEqual(Object.keys(TEXTS))
  })
})

describe('the statement check itself', () => {
  it('the statement check finds a misspelled column in any part of a statement', async () => {
    const file = await aSource(`
      const named = (sql, name) => sql\`lower(i.nmae) = \${name}\`
      export const list = (sql, filter) => sql\`
        select i.id from items i where true \${filter.name ? sql\`and \${named(sql, filter.name)}\` : sql\`\`}\`
      export const add = (tx, id) => tx\`update items set quanttiy = 1 where id = \${id}\``)
    const { refused } = await checkStatements(await open(), [file])
    expect(refused).toEqual([
      expect.stringContaining('example.ts:2:36: column i.nmae does not exist'),
      expect.stringContaining('example.ts:4:61: column i.nmae does not exist'),
      expect.stringContaining('example.ts:5:38: column "quanttiy" of relation "items" does not exist'),
    ])
  })

  it('the statement check reports a template that no statement uses', async () => {
    const file = await aSource('export const left = (sql) => sql`and i.deleted_at is null`')
    const { refused } = await checkStatements(await open(), [file])
    expect(refused).toEqual([expect.stringContaining('it stands in no statement')])
  })

  it('the statement check understands templates in conditions, in lists and in functions that are passed on', async () => {
    const file = await aSource(`
      const every = (sql, words, matches) =>
        words.reduce((all, word) => sql\`\${all} and \${matches(word)}\`, sql\`true\`)
      const ORDERS = { name: (sql) => sql\`i.name\`, newest: (sql) => sql\`i.created_at desc\` }
      export function list(sql, words, order, page) {
        if (page.isEmpty) return []
        const after = page.cursor === null ? sql\`\` : sql\`and i.id > \${page.cursor.id}\`
        return sql\`select i.id from items i where \${every(sql, words, (word) => sql\`i.name like \${word}\`)} \${after}
          order by \${ORDERS[order](sql)}\`
      }`)
    const { refused, prepared } = await checkStatements(await open(), [file])
    expect(refused).toEqual([])
    expect(prepared).toBeGreaterThan(3)
  })
})
