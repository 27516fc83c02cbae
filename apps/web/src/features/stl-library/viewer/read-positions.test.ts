import { createGear } from '@pegasus/mesh/samples/shapes'
import { writeBinaryStl } from '@pegasus/mesh/stl/write-stl'
import { expect, test } from 'vitest'
import { readPositions } from './read-positions.ts'

const bytesOf = (text: string) => new Uint8Array(new TextEncoder().encode(text))

test('the viewer reads STL and OBJ files up to the last triangle', () => {
  const gear = createGear(18)
  expect(readPositions(new Uint8Array(writeBinaryStl(gear)), 'stl')).toHaveLength(gear.length)
  const square = 'v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n'
  expect([...readPositions(bytesOf(square), 'obj')]).toEqual([
    0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0,
  ])
})

test("the viewer's OBJ reader grows its buffer for a file with many faces", () => {
  const face = 'f 1 2 3\n'
  const text = `v 0 0 0\nv 1 0 0\nv 1 1 0\n${face.repeat(5000)}`
  expect(readPositions(bytesOf(text), 'obj')).toHaveLength(5000 * 9)
})

test('the viewer says why a file is not a model', () => {
  expect(() => readPositions(bytesOf('f 1 2 3\n'), 'obj')).toThrow(/\w/)
  expect(() => readPositions(bytesOf('solid x\nendsolid x\n'), 'stl')).toThrow(/\w/)
})
