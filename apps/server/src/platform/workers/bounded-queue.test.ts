import { describe, expect, it } from 'vitest'
import { createBoundedQueue, PoolBusyError } from './bounded-queue.ts'

describe('a bounded queue', () => {
  it('a bounded queue runs a limited number of jobs at a time, in order, and refuses jobs if too many wait', async () => {
    const queue = createBoundedQueue({ concurrency: 2, maxWaiting: 2 })
    const gates = Array.from({ length: 4 }, () => Promise.withResolvers<void>())
    const started: number[] = []
    const runs = gates.map((gate, index) =>
      queue.run(async () => {
        started.push(index)
        await gate.promise
        return index
      }),
    )
    await expect(queue.run(async () => 9)).rejects.toBeInstanceOf(PoolBusyError)
    expect(started).toEqual([0, 1])
    gates[1]?.resolve()
    expect(await runs[1]).toBe(1)
    await expect.poll(() => started).toEqual([0, 1, 2])
    for (const gate of gates) gate.resolve()
    expect(await Promise.all(runs)).toEqual([0, 1, 2, 3])
    expect(await queue.run(async () => 5)).toBe(5)
  })

  it('a bounded queue continues after a failed job', async () => {
    const queue = createBoundedQueue({ concurrency: 1, maxWaiting: 1 })
    const failing = queue.run(() => Promise.reject(new Error('no')))
    const next = queue.run(async () => 'yes')
    await expect(failing).rejects.toThrow('no')
    expect(await next).toBe('yes')
  })

  it('a caller that gives up waiting in a bounded queue frees its place', async () => {
    const queue = createBoundedQueue({ concurrency: 1, maxWaiting: 1 })
    const gate = Promise.withResolvers<string>()
    const first = queue.run(() => gate.promise)
    const controller = new AbortController()
    const second = queue.run(async () => 'second', controller.signal)
    controller.abort(new Error('gone'))
    await expect(second).rejects.toThrow('gone')
    const third = queue.run(async () => 'third')
    gate.resolve('first')
    expect(await Promise.all([first, third])).toEqual(['first', 'third'])
  })
})
