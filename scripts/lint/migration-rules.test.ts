import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { inProject } from '../boot/project.mjs'
import { checkMigration } from './migration-rules.ts'

/** The first migration that is checked. For older ones, all servers had to be stopped during an update. */
const FIRST_CHECKED = '0097'

const DANGEROUS = [
  'create index items_x on items (x)',
  'create unique index items_x on items (x)',
  'create index concurrently items_x on items (x)',
  'alter table items add column x integer not null',
  'alter table items add column x uuid default gen_random_uuid()',
  'alter table items add column x bigint generated always as identity',
  'alter table items add column x text generated always as (lower(name)) stored',
  'alter table items add column x uuid references accounts (id)',
  'alter table items add constraint items_x check (quantity > 0)',
  'alter table items add column x integer, add constraint items_x check (x > 0)',
  'alter table items add constraint items_x foreign key (x) references accounts (id)',
  'alter table items validate constraint items_x',
  'alter table items add constraint items_x unique (x)',
  'alter table items add primary key (x)',
  'alter table items alter column x type bigint',
  'alter table items alter x set data type bigint',
  'alter table items alter column x set not null',
  'alter table items rename column x to y',
  'alter table items rename to things',
  'alter table items drop column x',
  'alter table items add column y integer, drop x',
  'drop table items',
  'drop view stock_items',
  'drop function note_item()',
  'update items set x = 1',
  'update items set x = 1 where id in (select id from items where x is null limit 100)',
  'delete from items where x = 1',
  '-- repeat\nupdate items set x = 1 where x is null returning id',
  'truncate items',
  'lock table items',
  'reindex table items',
  'vacuum full items',
  'refresh materialized view sums',
]

const HARMLESS = [
  'create table parts (id uuid primary key, x uuid not null references items (id), unique (x))',
  'create table parts (id uuid); create index parts_id on parts (id); update parts set id = null',
  'create table parts (id uuid); alter table parts add constraint parts_id check (id is not null)',
  'alter table items add column x integer',
  'alter table items add column x integer not null default 0',
  "alter table items add column x timestamptz default '-infinity', add column y text",
  'alter table items add constraint items_x check (x > 0) not valid',
  'alter table items drop constraint items_kind, add constraint items_kind check (kind <> 1) not valid',
  'alter table items alter column x drop not null',
  'alter table items alter column x drop default',
  'alter table items alter column x set default 1',
  'create function f() returns trigger language plpgsql as $$ begin update items set x = 1; return null; end $$',
  'create trigger items_noted after update on items for each row execute function f()',
  'insert into rates (x) values (1)',
  '-- in steps\ncreate index concurrently items_x on items (x)',
  '-- in steps\nalter table items validate constraint items_x',
  '-- in steps\n-- repeat\nupdate items set x = 1 where id in (select id from items where x is null limit 1000) returning id',
  '-- may block: the table has one row\nupdate schedule set x = 1',
  "-- a text with a semicolon\ninsert into notes (x) values ('update items; drop table items')",
]

describe('the rules for migrations', () => {
  it('no migration makes requests of the previous version wait or fail', () => {
    const folder = inProject('apps/server/migrations')
    const names = readdirSync(folder).filter((name) => name.endsWith('.sql') && name >= FIRST_CHECKED)
    const faults = names.flatMap((name) => checkMigration(name, readFileSync(`${folder}/${name}`, 'utf8')))
    expect(faults).toEqual([])
  })

  it('no new migration writes a vertical tab as an escape, which PostgreSQL 15 reads as the letter v', () => {
    const folder = inProject('apps/server/migrations')
    const names = readdirSync(folder).filter((name) => name.endsWith('.sql') && name >= FIRST_CHECKED)
    const faulty = names.filter((name) => /\be'[^']*\\v/i.test(readFileSync(`${folder}/${name}`, 'utf8')))
    expect(faulty).toEqual([])
  })

  it.each(DANGEROUS)('the migration rules report %s', (sql) => {
    expect(checkMigration('0100-x.sql', sql).length).toBeGreaterThan(0)
  })

  it.each(HARMLESS)('the migration rules allow %s', (sql) => {
    expect(checkMigration('0100-x.sql', sql)).toEqual([])
  })
})
