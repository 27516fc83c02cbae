import { expect, it } from 'vitest'
import { createSql, type Statement } from './sql.ts'

const aRecorder = () => {
  const sent: Statement[] = []
  const sql = createSql(async (statement) => {
    sent.push(statement)
    return []
  })
  return { sent, sql }
}

it('an SQL template is sent as text with numbered placeholders, separately from its values', async () => {
  const { sent, sql } = aRecorder()
  const isNew = sql`quantity > ${5} and name <> ${"O'Neill"}`
  await sql`select * from ${sql('odd"table')} where ${isNew} or id = any(${['a', 'b']}) limit ${10}`
  expect(sent).toEqual([
    {
      text: 'select * from "odd""table" where quantity > $1 and name <> $2 or id = any($3) limit $4',
      values: [5, "O'Neill", ['a', 'b'], 10],
    },
  ])
})

it('an SQL fragment becomes part of the template around it, and a query that is awaited twice is sent once', async () => {
  const { sent, sql } = aRecorder()
  const query = sql`select 1 ${sql`union select 2`}`
  await Promise.all([query, query])
  await query
  expect(sent.map(({ text }) => text)).toEqual(['select 1 union select 2'])
})

it('an SQL value is sent with its type if the database could not derive the type', async () => {
  const { sent, sql } = aRecorder()
  const day = new Date('2026-03-28T23:30:00.123Z')
  await sql`select ${day} + interval '1 day', ${true}, ${7n}, ${Buffer.from('x')}, ${sql.json([1])}, ${null}, ${[day]}`
  expect(sent).toEqual([
    {
      text: `select $1::timestamptz + interval '1 day', $2::boolean, $3::bigint, $4::bytea, $5::jsonb, $6, $7`,
      values: [
        '2026-03-28T23:30:00.123Z',
        true,
        '7',
        Buffer.from('x'),
        '[1]',
        null,
        ['2026-03-28T23:30:00.123Z'],
      ],
    },
  ])
})

it('an SQL list is written with commas between its elements', async () => {
  const { sent, sql } = aRecorder()
  await sql`insert into t (${sql.list([sql('a'), sql('b')])}) values (${sql.list([1, sql`default`])})`
  expect(sent).toEqual([{ text: 'insert into t ("a", "b") values ($1, default)', values: [1] }])
})

it('an SQL template refuses undefined, both as a single value and inside a list', async () => {
  const { sent, sql } = aRecorder()
  // @ts-expect-error: a query does not accept undefined, but untyped code could pass it
  expect(() => sql`select ${undefined}`.execute()).toThrow('Undefined values are not allowed')
  // @ts-expect-error: a list does not accept undefined either
  expect(() => sql`select ${[undefined]}`.execute()).toThrow('Undefined values are not allowed')
  expect(sent).toEqual([])
})
