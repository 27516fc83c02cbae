import { expect, test } from 'vitest'
import { moveJob, targetOf, stepTarget } from './queue-order.ts'

const QUEUE = [
  { id: 'a', priority: 1 },
  { id: 'b', priority: 2 },
  { id: 'c', priority: 2 },
  { id: 'd', priority: 5 },
]
const shown = (jobs: readonly { id: string; priority: number }[]) =>
  jobs.map(({ id, priority }) => `${id}${priority}`).join(' ')

test.each<[string, string | null, string]>([
  ['c', 'b', 'a1 c2 b2 d5'],
  ['d', 'a', 'd1 a1 b2 c2'],
  ['d', 'c', 'a1 b2 d2 c2'],
  ['a', null, 'b2 c2 d5 a5'],
  ['a', 'd', 'b2 c2 a2 d5'],
  ['b', 'b', 'a1 b2 c2 d5'],
  ['gone', 'a', 'a1 b2 c2 d5'],
])('moving job %s before %s gives the queue %s', (id, beforeId, expected) => {
  expect(shown(moveJob(QUEUE, id, { beforeId }))).toBe(expected)
})

test('stepTarget moves a job past one row of the queue, and not beyond either end', () => {
  expect(stepTarget(QUEUE, 'b', 'up', false)).toEqual({ beforeId: 'a' })
  expect(stepTarget(QUEUE, 'b', 'down', false)).toEqual({ beforeId: 'd' })
  expect(stepTarget(QUEUE, 'c', 'down', false)).toEqual({ beforeId: null })
  expect(stepTarget(QUEUE, 'c', 'down', true)).toBeNull()
  expect(stepTarget(QUEUE, 'a', 'up', false)).toBeNull()
  expect(stepTarget(QUEUE, 'd', 'down', false)).toBeNull()
})

test("targetOf returns the target that restores a job's position", () => {
  const original = targetOf(QUEUE, 'd')
  expect(shown(moveJob(moveJob(QUEUE, 'd', { beforeId: 'c' }), 'd', original))).toBe('a1 b2 c2 d2')
  expect(targetOf(QUEUE, 'b')).toEqual({ beforeId: 'c' })
})
