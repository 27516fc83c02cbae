import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { untilWaiting } from '../../../../test/support/database/lock-waits.ts'
import { type TestDatabase, createTestDatabase } from '../../../../test/support/database/test-database.ts'
import { silentLog } from '../../../../test/support/silent-log.ts'
import type { Database } from '../database.ts'
import { migrate } from '../migrate.ts'
import { hashOf } from './migration-hash.ts'
import { splitStatements } from './split-statements.ts'

let folder: string
let test: TestDatabase

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pegasus-migrations-'))
  test = await createTestDatabase({ isEmpty: true })
  return async () => {
    await test.drop()
    await rm(folder, { recursive: true, force: true })
  }
})

const write = (name: string, text: string) => writeFile(join(folder, name), text)
const run = (database: Database = test.database) => migrate({ database, folder, log: silentLog })
const column = async (table: string, name: string) =>
  (await test.database.sql.unsafe(`select ${name} from ${table} order by 1`)).map((row) => row[name])

describe('a migration in steps', () => {
  it('a migration in steps keeps the steps before a failed step, and continues with the corrected step', async () => {
    await write(
      '0001-steps.sql',
      '-- in steps\ncreate table spools (name int);\ninsert into spools values (1);\ninsert into nowhere values (1);',
    )
    await expect(run()).rejects.toThrow('0001-steps.sql failed and stopped; the next start continues it')
    expect(await column('spools', 'name')).toEqual([1])
    await write(
      '0001-steps.sql',
      '-- in steps\ncreate table spools (name int);\ninsert into spools values (1);\ninsert into spools values (2);',
    )
    expect(await run()).toEqual(['0001-steps.sql'])
    expect(await column('spools', 'name')).toEqual([1, 2])
    expect(await column('schema_migration_steps', 'name')).toEqual([])
    expect(await run()).toEqual([])
  })

  it('a migration in steps refuses to continue if an applied step was changed', async () => {
    await write(
      '0001-steps.sql',
      '-- in steps\ncreate table spools (name int);\ninsert into nowhere values (1);',
    )
    await expect(run()).rejects.toThrow('nowhere')
    await write('0001-steps.sql', '-- in steps\ncreate table spools (name text);\nselect 1;')
    await expect(run()).rejects.toThrow(
      'The first 1 statements of the migration 0001-steps.sql were changed after they had been applied',
    )
  })

  it('a migration in steps continues although comments of applied steps changed, even if an earlier version applied them', async () => {
    await write(
      '0001-steps.sql',
      '-- in steps\ncreate table spools (name int);\ninsert into nowhere values (1);',
    )
    await expect(run()).rejects.toThrow('nowhere')
    const applied = '-- in steps\ncreate table spools (name int)'
    const stored = createHash('sha256').update(applied).digest('hex')
    await test.database.sql`update schema_migration_steps set sha256 = ${stored}`
    await write('earlier-hashes.txt', `0001-steps.sql:1 ${stored} ${hashOf(applied)}\n`)
    await write(
      '0001-steps.sql',
      '-- in steps\n-- Each spool.\ncreate table spools (name int);\nselect nothing;',
    )
    await expect(run()).rejects.toThrow('"nothing" does not exist')
    await write('0001-steps.sql', '-- in steps\n-- All spools.\ncreate table spools (name int);\nselect 1;')
    expect(await run()).toEqual(['0001-steps.sql'])
  })

  it('a migration in steps repeats a statement until it returns no row', async () => {
    await write(
      '0001-spools.sql',
      'create table spools (n int); insert into spools select null from generate_series(1, 25);',
    )
    await write(
      '0002-fill.sql',
      `-- in steps
-- repeat
with batch as (select ctid from spools where n is null limit 10)
update spools set n = 1 where ctid in (select ctid from batch) returning n;`,
    )
    await run()
    expect(await column('spools', 'n')).toEqual(Array.from({ length: 25 }, () => 1))
  })

  it('a migration in steps rebuilds an index that an interrupted run left invalid', async () => {
    await write('0001-spools.sql', 'create table spools (n int); insert into spools values (1), (1);')
    await write('0002-index.sql', '-- in steps\ncreate unique index concurrently spools_n on spools (n);')
    await expect(run()).rejects.toThrow('could not create unique index')
    const readValidity = async () => [
      ...(await test.database.sql`
        select indisvalid as is_valid from pg_index where indexrelid = 'spools_n'::regclass`),
    ]
    expect(await readValidity()).toEqual([{ is_valid: false }])
    await test.database.sql`delete from spools`
    expect(await run()).toEqual(['0002-index.sql'])
    expect(await readValidity()).toEqual([{ is_valid: true }])
  })

  it('a migration in steps lets other statements pass while it waits for a lock', async () => {
    await write('0001-spools.sql', 'create table spools (n int);')
    await run()
    await write('0002-column.sql', 'alter table spools add column m int;')
    const { sql } = test.database
    const reading = Promise.withResolvers<void>()
    const isRead = Promise.withResolvers<void>()
    const long = test.database.transaction(async (tx) => {
      await tx`select from spools`
      isRead.resolve()
      await reading.promise
    })
    await isRead.promise
    const migrated = run()
    await untilWaiting(test, 1)
    // This statement waits behind the migration until the migration lets others pass.
    expect([...(await sql`select count(*)::int as spools from spools`)]).toEqual([{ spools: 0 }])
    reading.resolve()
    await long
    expect(await migrated).toEqual(['0002-column.sql'])
  })
})

describe('splitting SQL into statements', () => {
  it('a semicolon inside quotes, comments or function bodies does not end a statement', () => {
    const parts = [
      'select \';\', "a;b"',
      '-- one; two\nselect 1 /* ; */',
      'create function f() returns int language plpgsql as $$ begin return 1; end $$',
      'create function g() returns int language plpgsql as $body$ begin return $$;$$; end $body$',
      "select 'it''s; fine', $1 - 2 / 3",
      'select 1 /* one; /* two; */ three; */',
      "select e'it\\'s; fine', 1",
    ]
    expect(splitStatements(`${parts.join(';\n')};\n-- the end;\n`)).toEqual(parts)
  })
})
