import { describe, expect, test } from 'vitest'
import { readBytes } from './load-mesh.ts'

const bodyOf = (...chunks: number[][]) =>
  new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const chunk of chunks) controller.enqueue(new Uint8Array(chunk))
      controller.close()
    },
  })

describe('reading the bytes of a mesh', () => {
  test('loading a mesh joins the chunks and reports the progress', async () => {
    const seen: number[] = []
    const bytes = await readBytes(bodyOf([1, 2], [3]), 3, (received) => seen.push(received))
    expect([...bytes]).toEqual([1, 2, 3])
    expect(seen).toEqual([2, 3])
  })

  test('a mesh file that is longer or shorter than announced is loaded as received', async () => {
    expect([...(await readBytes(bodyOf([1, 2, 3], [4]), 1, () => {}))]).toEqual([1, 2, 3, 4])
    expect([...(await readBytes(bodyOf([1]), 10, () => {}))]).toEqual([1])
  })
})
