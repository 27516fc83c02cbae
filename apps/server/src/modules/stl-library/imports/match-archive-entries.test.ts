import { expect, it } from 'vitest'
import { withinReason } from './match-archive-entries.ts'

const MIB = 1024 * 1024

it('the files of an archive are hashed smallest first, up to the limit of 256 MiB', () => {
  const files = [300, 100, 10, 200, 100].map((size, index) => ({ index, sizeBytes: size * MIB }))
  expect(withinReason(files)).toEqual([2, 1, 4])
  expect(withinReason([{ index: 7, sizeBytes: 256 * MIB }])).toEqual([7])
  expect(withinReason([{ index: 7, sizeBytes: 256 * MIB + 1 }])).toEqual([])
  expect(withinReason([])).toEqual([])
})
