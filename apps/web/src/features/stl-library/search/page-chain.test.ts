import { describe, expect, test } from 'vitest'
import { FIRST_LINK, positionsIn, withPage } from './page-chain.ts'

const three = [
  { count: 60, nextCursor: 'b' },
  { count: 60, nextCursor: 'c' },
  { count: 7, nextCursor: null },
].reduce((chain, page, index) => withPage(chain, index, page), FIRST_LINK)

describe('chain of pages', () => {
  test('a chain of pages grows page by page until the list ends', () => {
    const one = withPage(FIRST_LINK, 0, { count: 60, nextCursor: 'b' })
    expect(positionsIn(one, { pageSize: 60, total: null })).toBe(120)
    expect(positionsIn(one, { pageSize: 60, total: 64 })).toBe(64)
    expect(three.cursors).toEqual([null, 'b', 'c'])
    expect(positionsIn(three, { pageSize: 60, total: null })).toBe(127)
  })

  test('if a new model appears at the front of a list, only the second page changes, so the scroll position stays', () => {
    const moved = withPage(three, 0, { count: 60, nextCursor: 'b2' })
    expect(moved.cursors).toEqual([null, 'b2', 'c'])
    expect(positionsIn(moved, { pageSize: 60, total: null })).toBe(127)
  })

  test('a chain of pages that becomes shorter ignores a page beyond its end that arrives late', () => {
    const short = withPage(three, 0, { count: 12, nextCursor: null })
    expect(positionsIn(short, { pageSize: 60, total: null })).toBe(12)
    expect(withPage(short, 2, { count: 60, nextCursor: 'd' })).toBe(short)
  })

  test('a chain of pages gets another page when its last page is full', () => {
    const longer = withPage(three, 2, { count: 60, nextCursor: 'd' })
    expect(longer).toEqual({ cursors: [null, 'b', 'c', 'd'], lastCount: null })
  })

  test('a chain of pages stays the same object after an unchanged refresh', () => {
    expect(withPage(three, 1, { count: 60, nextCursor: 'c' })).toBe(three)
    expect(withPage(three, 2, { count: 7, nextCursor: null })).toBe(three)
  })
})
