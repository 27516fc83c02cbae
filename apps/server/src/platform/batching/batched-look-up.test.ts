import { expect, it } from 'vitest'
import { createBatchedLookUp } from './batched-look-up.ts'

const aDouble = () => {
  const reads: number[][] = []
  const lookUp = createBatchedLookUp<number, number>({
    nameOf: String,
    async read(keys) {
      reads.push([...keys])
      if (keys.includes(13)) throw new Error('unlucky')
      return new Map(keys.filter((key) => key > 0).map((key) => [String(key), key * 2]))
    },
  })
  return { reads, lookUp }
}

it('all look-ups in one turn of the event loop share a single read, in which each key appears only once', async () => {
  const { reads, lookUp } = aDouble()
  expect(await Promise.all([lookUp(1), lookUp(2), lookUp(1), lookUp(-1)])).toEqual([2, 4, 2, null])
  expect(await lookUp(1)).toBe(2)
  expect(reads).toEqual([[1, 2, -1], [1]])
})

it('a look-up that begins while a read is running waits for the next read', async () => {
  const reads: Promise<void>[] = []
  let value = 1
  const begun = Promise.withResolvers<void>()
  const lookUp = createBatchedLookUp<string, number>({
    nameOf: (key) => key,
    async read(keys) {
      const read = value
      begun.resolve()
      const slow = Promise.withResolvers<void>()
      reads.push(slow.promise)
      setImmediate(slow.resolve)
      await slow.promise
      return new Map(keys.map((key) => [key, read]))
    },
  })
  const first = lookUp('a')
  await begun.promise
  value = 2
  const second = lookUp('a')
  expect(await Promise.all([first, second])).toEqual([1, 2])
  expect(reads).toHaveLength(2)
})

it('a failed read rejects only the look-ups that share that read', async () => {
  const { lookUp } = aDouble()
  const together = await Promise.allSettled([lookUp(13), lookUp(1)])
  expect(together.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await lookUp(1)).toBe(2)
})
