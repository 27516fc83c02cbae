import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { TestClock } from '../../../../test/support/build-test-app.ts'
import { HOUR_MS, MINUTE_MS, addMs } from '../../clock.ts'
import type { ChangedRows, Moment } from '../../database/row-changes.ts'
import { createKnownRows } from './known-rows.ts'
import { createPathSigner } from '../signed-path.ts'

const SERVER = 'started once'
type Found = Partial<ChangedRows>

/**
 * Creates a list whose ids are single letters. `says` contains the current text of each row, and the row on which it
 * depends.
 */
function aList(maxBytes?: number) {
  const clock = new TestClock()
  const signer = createPathSigner({ key: randomBytes(32), clock })
  let losses = 0
  const database = { lostConnections: () => losses }
  const known = createKnownRows({ signer, clock, database }, maxBytes)
  const asked: (string | null)[] = []
  const reads: string[] = []
  const says = new Map<string, { text: string; of?: string; goodUntil?: Date }>()
  let moments = 0
  const read = async (ids: readonly string[]) => {
    reads.push(ids.join(''))
    return ids.flatMap((id) => {
      const row = says.get(id)
      if (!row) return []
      const { text, of = id, goodUntil = null } = row
      return [{ id, body: Buffer.from(JSON.stringify(id + text)), dependsOn: [id, of], goodUntil }]
    })
  }
  const write = async (ids: string, found: Found = {}, readRows = read) => {
    const find = async (since: Moment | null) => {
      asked.push(since?.snapshot ?? null)
      const changes: ChangedRows = {
        server: SERVER,
        snapshot: String((moments += 1)),
        changed: since && [],
        ...found,
      }
      return { ...changes, ids: [...ids], next: null, total: ids.length }
    }
    const { body, tag } = await known.write(find, readRows)
    return { tag, rows: JSON.parse(body.toString()) as string[] }
  }
  return { clock, says, reads, asked, read, write, lose: () => (losses += 1) }
}

it('after a change, the row cache reads only rows that depend on the changed row, and returns a different tag', async () => {
  const { says, reads, asked, write } = aList()
  says.set('a', { text: '1' }).set('b', { text: '1', of: 'i' }).set('c', { text: '1', of: 'i' })
  const first = await write('cab')
  expect(first.rows).toEqual(['c1', 'a1', 'b1'])
  expect(await write('cab')).toEqual(first)
  says.set('b', { text: '2', of: 'i' })
  const changed = await write('cab', { changed: ['i', 'x'] })
  expect(changed.rows).toEqual(['c1', 'a1', 'b2'])
  expect(changed.tag).not.toBe(first.tag)
  expect((await write('ac')).tag).not.toBe((await write('ca')).tag)
  expect((await write('')).rows).toEqual([])
  expect(reads).toEqual(['cab', 'cb'])
  expect(asked).toEqual([null, '1', '2', '3', '4', '5'])
})

it('the row cache reads a row again if it changed while it was being read, and leaves out a deleted row', async () => {
  const { says, reads, read, write } = aList()
  says.set('a', { text: '1' })
  await write('a', {}, async (ids) => {
    const rows = await read(ids)
    // While the rows are read, another request reports a change that these rows do not contain yet.
    says.set('a', { text: '2' })
    await write('', { changed: ['a'] })
    return rows
  })
  expect((await write('ab')).rows).toEqual(['a2'])
  expect(reads).toEqual(['a', 'ab'])
})

it.each([
  { when: 'it cannot be told what was changed', found: { changed: null } },
  { when: 'the server was started again', found: { changed: null, server: 'started twice' } },
])('the row cache reads every row again if $when', async ({ found }) => {
  const { says, reads, write } = aList()
  says.set('a', { text: '1' })
  await write('a')
  says.set('a', { text: '2' })
  expect((await write('a', found)).rows).toEqual(['a2'])
  expect(reads).toEqual(['a', 'a'])
})

it.each([
  { what: 'a lost connection', after: (list: ReturnType<typeof aList>) => void list.lose() },
  { what: 'ten minutes', after: ({ clock }: ReturnType<typeof aList>) => clock.advance(10 * MINUTE_MS) },
  {
    what: 'the hour of its addresses',
    after: ({ clock }: ReturnType<typeof aList>) => clock.advance(HOUR_MS),
  },
])('every row is read again after $what, even if nothing was changed', async ({ after }) => {
  const list = aList()
  list.says.set('a', { text: '1' })
  await list.write('a')
  after(list)
  await list.write('a')
  expect(list.asked).toEqual([null, null])
  expect(list.reads).toEqual(['a', 'a'])
})

it('the row cache reads a row again once its `goodUntil` has passed', async () => {
  const { clock, says, reads, write } = aList()
  says.set('a', { text: '1', goodUntil: addMs(clock.now(), MINUTE_MS) }).set('b', { text: '1' })
  await write('ab')
  clock.advance(MINUTE_MS)
  await write('ab')
  clock.advance(1)
  await write('ab')
  expect(reads).toEqual(['ab', 'a'])
})

it('the row cache drops the least recently used rows if it exceeds its size limit', async () => {
  const { says, reads, write } = aList(8)
  for (const id of 'abc') says.set(id, { text: '1' })
  for (const ids of ['a', 'b', 'a', 'c', 'a', 'b']) await write(ids)
  expect(reads).toEqual(['a', 'b', 'c', 'b'])
})
