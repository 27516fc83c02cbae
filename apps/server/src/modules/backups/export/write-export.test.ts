import { execFileSync } from 'node:child_process'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { anEmptyFolder } from '../../../../test/support/backups.ts'
import { OWNER_PASSWORD, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { originalText, readCsv } from '../../../../test/support/read-csv.ts'
import { aMovement, anItem, anOrder } from '../../../../test/support/stock-factories.ts'
import { listTables } from '../copy-tables.ts'
import { EXPORTED, LEFT_OUT } from './exported-tables.ts'
import { writeExport } from './write-export.ts'

const NAME = '=1+1 "quoted"\r\n\u2028\\N Ünïcode'

it('an export contains every row of a shop, as CSV and as JSON Lines, but no secret', async () => {
  const app = await buildTestApp()
  await app.signIn('owner', OWNER_PASSWORD)
  const item = await anItem(app, { name: NAME, sku: 'HOOK' })
  await aMovement(app, { itemId: item, kind: 'receive', delta: 5 })
  await anOrder(app)
  const folder = await anEmptyFolder()
  const path = join(folder, 'shop.tar.gz')
  const make = () =>
    app.database.withBulkConnection((connection) => writeExport(path, connection, () => new Date()))
  const { rows, tables } = await make()
  expect(tables).toBe(EXPORTED.size)
  await expect(make()).rejects.toThrow(/already exists/)
  expect(await readdir(folder)).toEqual(['shop.tar.gz'])
  execFileSync('tar', ['-xzf', path, '-C', folder])

  let found = 0
  for (const table of EXPORTED) {
    const lines = (await readFile(join(folder, `${table}.jsonl`), 'utf8')).split('\n').slice(0, -1)
    const [columns, ...records] = readCsv((await readFile(join(folder, `${table}.csv`), 'utf8')).slice(1))
    const [count] = await app.database.sql.unsafe<{ count: number }[]>(
      `select count(*)::int as count from ${table}`,
    )
    expect([table, lines.length, records.length]).toEqual([table, count?.count, count?.count])
    found += lines.length
    // The form of a password hash, and of the signed parts of a token.
    expect(lines.join()).not.toMatch(/\$argon2|eyJ/)
    for (const [index, line] of lines.entries())
      expect(Object.keys(JSON.parse(line) as object)).toHaveLength(records[index]?.length ?? 0)
    const secret = columns?.filter((name) => /password_hash|_sealed|(?:key|secret|token)_hash/.test(name))
    expect([table, secret]).toEqual([table, []])
    if (table !== 'items') continue
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ id: item, name: NAME })
    expect(originalText(records[0]?.[columns?.indexOf('name') ?? -1] ?? '')).toBe(NAME)
  }
  expect(found).toBe(rows)
})

it('each table of the database is either exported or left out', async () => {
  const app = await buildTestApp()
  const tables = await app.database.withBulkConnection(listTables)
  const decided = [...EXPORTED, ...LEFT_OUT]
  expect(new Set(decided).size).toBe(decided.length)
  expect(tables.map(({ name }) => name).toSorted()).toEqual(decided.toSorted())
})
