import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { silentLog } from '../../../test/support/silent-log.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/support/database/test-database.ts'
import { StartupError } from '../startup-error.ts'
import { openDatabase } from './database.ts'
import { migrate } from './migrate.ts'
import { hashOf } from './migrations/migration-hash.ts'

let folder: string
let test: TestDatabase

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pegasus-migrations-'))
  test = await createTestDatabase({ isEmpty: true })
})

afterEach(async () => {
  await test.drop()
  await rm(folder, { recursive: true, force: true })
})

const write = (name: string, text: string) => writeFile(join(folder, name), text)
const run = (database = test.database) => migrate({ database, folder, log: silentLog })

describe('migrations', () => {
  it('each migration is applied once, in the order of the file numbers', async () => {
    await write('0002-fill.sql', 'insert into spools (name) values (1), (2);')
    await write('0001-spools.sql', 'create table spools (name int); create index on spools (name);')
    expect(await run()).toEqual(['0001-spools.sql', '0002-fill.sql'])
    expect(await run()).toEqual([])
    const rows = await test.database.sql`select count(*) from spools`
    expect([...rows]).toEqual([{ count: 2 }])
  })

  it('each migration is applied once, even if several processes start at the same time', async () => {
    await write('0001-spools.sql', 'create table spools (name int);')
    await write('0002-fill.sql', 'insert into spools select 1 from pg_sleep(0.05);')
    const others = await Promise.all(
      [1, 2, 3].map(() =>
        openDatabase({ connection: test.connection, log: silentLog, applicationName: 'replica' }),
      ),
    )
    const applied = await Promise.all(others.map((database) => run(database)))
    await Promise.all(others.map((database) => database.close()))
    expect(applied.flat().sort()).toEqual(['0001-spools.sql', '0002-fill.sql'])
    expect([...(await test.database.sql`select count(*) from spools`)]).toEqual([{ count: 1 }])
  })

  it('a failed migration leaves no changes, and the next run continues with the corrected file', async () => {
    await write('0001-spools.sql', 'create table spools (name int);')
    await write('0002-broken.sql', 'create table printers (id int); insert into nowhere values (1);')
    const failing = run()
    await expect(failing).rejects.toBeInstanceOf(StartupError)
    await expect(failing).rejects.toThrow(
      '0002-broken.sql failed and was undone: relation "nowhere" does not exist',
    )
    const tables = await test.database
      .sql`select to_regclass('spools') as spools, to_regclass('printers') as printers`
    expect([...tables]).toEqual([{ spools: 'spools', printers: null }])
    await write('0002-broken.sql', 'create table printers (id int);')
    expect(await run()).toEqual(['0002-broken.sql'])
  })

  it('a migration is tried again after a deadlock', async () => {
    // A sequence keeps its value when a transaction is rolled back.
    await write('0001-tries.sql', 'create sequence tries;')
    await write(
      '0002-deadlock.sql',
      "do $$ begin if nextval('tries') = 1 then raise exception using errcode = '40P01'; end if; end $$;",
    )
    expect(await run()).toEqual(['0001-tries.sql', '0002-deadlock.sql'])
  })

  it('migrating is refused if a file was changed after it was applied', async () => {
    await write('0001-spools.sql', 'create table spools (name int);')
    await run()
    await write('0001-spools.sql', 'create table spools (name text);')
    await expect(run()).rejects.toThrow('The migration 0001-spools.sql was changed after it had been applied')
  })

  it('migrating is possible if only comments and white space of a file were changed', async () => {
    await write('0001-spools.sql', '-- Spools.\ncreate table spools (name int);')
    await run()
    await write('0001-spools.sql', '/* One row for each spool. */\n\ncreate table spools\n  (name int);\n')
    expect(await run()).toEqual([])
  })

  it('migrating a database of an earlier version is refused only if statements changed, not if only comments did', async () => {
    const earlier = '-- Spools.\ncreate table spools (name int);'
    await write('0001-spools.sql', earlier)
    await run()
    const stored = createHash('sha256').update(earlier).digest('hex')
    await test.database.sql`update schema_migrations set sha256 = ${stored}`
    expect(await run()).toEqual([])
    const reworded = '-- One row for each spool.\ncreate table spools (name int);'
    await write('0001-spools.sql', reworded)
    await expect(run()).rejects.toThrow('The migration 0001-spools.sql was changed')
    await write('earlier-hashes.txt', `0001-spools.sql ${stored} ${hashOf(earlier)}\n`)
    expect(await run()).toEqual([])
    await write('0001-spools.sql', reworded.replace('int', 'text'))
    await expect(run()).rejects.toThrow(
      'The migration 0001-spools.sql was changed after it had been applied: restore it, and write a new one.',
    )
  })

  it('migrating is refused for a database of a newer version', async () => {
    await write('0001-spools.sql', 'create table spools (name int);')
    await write('0002-newer.sql', 'create table newer ();')
    await run()
    await rm(join(folder, '0002-newer.sql'))
    await expect(run()).rejects.toThrow('used by a newer version of Pegasus Ops (it knows 0002-newer.sql)')
  })

  it('migrating is refused if two files have the same number', async () => {
    await write('0001-spools.sql', 'select 1;')
    await write('0001-printers.sql', 'select 1;')
    await expect(run()).rejects.toThrow('should have its own number')
  })

  it('migrations install the PostgreSQL extensions that speed up searching', async () => {
    await run()
    const rows = await test.database
      .sql`select extname from pg_extension where extname <> 'plpgsql' order by 1`
    expect(rows.map((row) => row.extname)).toEqual(['citext', 'pg_trgm', 'unaccent'])
  })
})
