import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { TestClock } from '../../../../test/support/build-test-app.ts'
import { HOUR_MS } from '../../clock.ts'
import { createListBodies } from './list-bodies.ts'
import { createPathSigner } from '../signed-path.ts'

const ID = '01890000-0000-7000-8000-00000000000'

function aList(maxBytes?: number) {
  const clock = new TestClock()
  const bodies = createListBodies(createPathSigner({ key: randomBytes(32), clock }), maxBytes)
  const reads: string[] = []
  const read = async (ids: readonly string[]) => {
    reads.push(ids.map((id) => id.at(-1)).join(''))
    return JSON.stringify(ids.map((id) => ({ thumbnail_path: `~/api/stl-files/${id}/thumbnail~` })))
  }
  const write = (...stamps: string[]) =>
    bodies.write({ stamps: stamps.map((stamp) => ID + stamp).join('\n'), next: null, total: 1 }, read)
  return { clock, reads, write }
}

it('a page of a list is read again only if one of its rows has changed, and then gets a different tag', async () => {
  const { reads, write } = aList()
  const [first, again] = [await write('1 700', '2 700'), await write('1 700', '2 700')]
  expect(again).toEqual(first)
  const edited = await write('1 700', '2 701')
  expect(edited.tag).not.toBe(first.tag)
  const turned = await write('2 700', '1 700')
  expect(turned.tag).not.toBe(first.tag)
  expect(reads).toEqual(['12', '12', '21'])
  expect((await write()).body.toString()).toBe('[]')
})

it('concurrent requests share one read of a page, and the next request repeats a failed read', async () => {
  const { reads, write } = aList()
  await Promise.all(Array.from({ length: 16 }, () => write('1 700')))
  expect(reads).toEqual(['1'])
  const bodies = createListBodies(createPathSigner({ key: randomBytes(32), clock: new TestClock() }))
  const page = { stamps: `${ID}1 700`, next: null, total: 1 }
  await expect(bodies.write(page, async () => Promise.reject(new Error('lost')))).rejects.toThrow('lost')
  expect((await bodies.write(page, async () => '[1]')).body.toString()).toBe('[1]')
})

it('the addresses in a page are signed again each hour', async () => {
  const { clock, write } = aList()
  const first = await write('1 700')
  clock.advance(HOUR_MS)
  const later = await write('1 700')
  expect(later.tag).not.toBe(first.tag)
  expect(later.body.toString()).not.toBe(first.body.toString())
})

it('the page cache drops the least recently used pages if it exceeds its size limit', async () => {
  const { reads, write } = aList(400)
  for (const stamp of ['1 700', '2 700', '1 700', '3 700', '1 700', '2 700']) await write(stamp)
  expect(reads).toEqual(['1', '2', '3', '2'])
})
