import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { readMigrations } from '../migrate.ts'
import { hashOf } from './migration-hash.ts'
import { splitStatements } from './split-statements.ts'

const MIGRATIONS = fileURLToPath(new URL('../../../../migrations', import.meta.url))

const SAME = [
  ['select 1;', '-- one\nselect 1; -- two'],
  ['select 1, 2', 'select 1, -- one\n  2'],
  ['select 1', 'select /* one /* two */ three */ 1'],
  ["select '-- a';", "\n\nselect '-- a';\n"],
] as const

const DIFFERENT = [
  ["select '-- a'", "select '-- b'"],
  ["select 'a  b'", "select 'a b'"],
  ["select '\n'", "select ' '"],
  ['select "/* a */"', 'select "/* b */"'],
  ["select e'it\\'s -- a'", "select e'it\\'s -- b'"],
  ['do $$ begin -- a\n end $$', 'do $$ begin -- b\n end $$'],
  ['do $a$ $$ -- a $a$', 'do $a$ $$ -- b $a$'],
  ['select /* /* */ 1, */ 2', 'select /* /* */ */ 1, 2'],
  ['select 1 - 2', 'select 1 -- 2'],
  ['select 1', 'select 11'],
] as const

describe('the hash of a migration', () => {
  it.each(SAME)('the SQL %j has the same hash as %j', (one, other) => {
    expect(hashOf(one)).toBe(hashOf(other))
  })

  it.each(DIFFERENT)('the SQL %j has a different hash from %j', (one, other) => {
    expect(hashOf(one)).not.toBe(hashOf(other))
  })

  it('the statements of migrations from earlier versions have not been changed', async () => {
    const list = await readFile(`${MIGRATIONS}/earlier-hashes.txt`, 'utf8')
    const texts = new Map((await readMigrations(MIGRATIONS)).map(({ name, text }) => [name, text]))
    const lines = list.trimEnd().split('\n')
    expect(lines.length).toBeGreaterThan(170)
    const changed = lines.filter((line) => {
      const [entry = '', , statements] = line.split(' ')
      const [name = '', steps] = entry.split(':')
      const text = texts.get(name) ?? ''
      const applied = steps === undefined ? text : splitStatements(text).slice(0, Number(steps)).join(';\n')
      return hashOf(applied) !== statements
    })
    expect(changed).toEqual([])
  })
})
