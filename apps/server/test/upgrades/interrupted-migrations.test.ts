import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Database, Queryable, Sql } from '../../src/platform/database/database.ts'
import { openDatabase } from '../../src/platform/database/database.ts'
import { migrate, readMigrations } from '../../src/platform/database/migrate.ts'
import { splitStatements } from '../../src/platform/database/migrations/split-statements.ts'
import { createSql } from '../../src/platform/database/sql.ts'
import { forward } from '../support/database/database-lease.ts'
import { createTestDatabase } from '../support/database/test-database.ts'
import { isLongRun } from '../process/product-process.ts'
import { silentLog } from '../support/silent-log.ts'
import { OLDEST_VERSION, writeOldShop } from './old-shop.ts'

const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url))
/** Number of statements for each migration: begin, the text of the migration, the row that records it, and commit. */
const STATEMENTS = 4
/** The short run interrupts only one of this many migrations. */
const SHORT_STEP = 3

/**
 * Returns the statement at which a round is interrupted, counted from the start of the first unfinished migration. In
 * the long run, each round is interrupted one statement later than the round before, so each migration is interrupted
 * at each of its statements. In the short run, one of SHORT_STEP migrations is interrupted, at another statement each
 * time.
 */
function cutOf(turn: number): number {
  if (isLongRun) return turn === 0 ? 0 : 1 + ((turn - 1) % STATEMENTS)
  const within = 1 + (turn % (STATEMENTS - 1))
  return turn === 0 ? within : SHORT_STEP * STATEMENTS + within
}

/**
 * Returns a database that loses its connection at one statement of the migrations, counted from 0. A statement that is
 * a script runs to its middle first.
 */
function cutAt(database: Database, cut: number): Database & { isCut(): boolean } {
  let count = -1
  let isCut = false
  const sql: Sql = Object.assign(
    createSql(() => Promise.reject(new Error('unused'))),
    {
      async reserve() {
        const connection = await database.sql.reserve()
        const [{ pid }] = await connection<[{ pid: number }]>`select pg_backend_pid() as pid`
        const through: Queryable = createSql(async (statement) => {
          if (statement.text.startsWith('begin') || count >= 0) count += 1
          if (count === cut && !isCut) {
            isCut = true
            const parts = statement.isScript ? splitStatements(statement.text) : []
            const half = parts.slice(0, Math.floor(parts.length / 2))
            if (half.length > 0) await connection.unsafe(`${half.join(';\n')};`)
            await database.sql`select pg_terminate_backend(${pid}, 10000)`
          }
          return forward(connection, statement)
        })
        return Object.assign(through, { release: () => connection.release() })
      },
    },
  )
  return { ...database, sql, isCut: () => isCut }
}

/**
 * Returns all rows of all tables as texts. New ids, and times that are newer than the old shop, differ in each upgrade,
 * so they are replaced.
 */
async function readAll(sql: Queryable): Promise<Record<string, string[]>> {
  const tables = await sql<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' order by relname`
  const all: Record<string, string[]> = {}
  for (const { name } of tables) {
    const rows = await sql<{ row: string }[]>`select to_jsonb(t)::text as row from ${sql(name)} t`
    all[name] = rows
      .map(({ row }) =>
        row
          .replaceAll(/"(?!00000000)[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}"/g, '"new id"')
          .replaceAll(/"(?!2024)\d{4}-\d\d-\d\dT[\d:.+]+"/g, '"new time"'),
      )
      .sort()
  }
  return all
}

async function makeOldDatabase() {
  const { database, connection, drop } = await createTestDatabase({ isEmpty: true })
  onTestFinished(drop)
  const isOld = (name: string) => name.slice(0, 4) <= OLDEST_VERSION
  await migrate({ database, folder: MIGRATIONS, log: silentLog, isWanted: isOld })
  await database.transaction(writeOldShop)
  const open = async () => {
    const opened = await openDatabase({ connection, log: silentLog, applicationName: 'replica' })
    onTestFinished(() => opened.close())
    return opened
  }
  return { database, open }
}

describe('the upgrade of an old database with data', () => {
  it('T111 a migration that is interrupted at any of its statements leaves nothing behind and is repeated', {
    timeout: isLongRun ? 3_600_000 : 900_000,
  }, async () => {
    const straight = await makeOldDatabase()
    await migrate({ database: straight.database, folder: MIGRATIONS, log: silentLog })
    const expected = await readAll(straight.database.sql)
    expect(expected['items']).toHaveLength(40)

    const broken = await makeOldDatabase()
    const replica = await broken.open()
    const names = (await readMigrations(MIGRATIONS)).map(({ name }) => name)
    const pending = names.filter((name) => name.slice(0, 4) > OLDEST_VERSION).length
    let interruptions = 0
    for (let turn = 0; ; turn += 1) {
      const database = cutAt(replica, cutOf(turn))
      const outcome = await migrate({ database, folder: MIGRATIONS, log: silentLog }).then(
        () => 'done',
        () => 'interrupted',
      )
      if (outcome === 'done') break
      interruptions += 1
    }
    expect(await readAll(broken.database.sql)).toEqual(expected)
    expect(interruptions).toBeGreaterThanOrEqual(
      isLongRun ? pending * STATEMENTS : Math.floor(pending / SHORT_STEP),
    )
    console.info(`T111 migrations interrupted ${interruptions} times, differences afterwards 0`)
  })
})
