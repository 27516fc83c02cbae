import { PoolBusyError, createBoundedQueue } from '../../../platform/workers/bounded-queue.ts'

export interface Turns {
  /** Runs `work` after all earlier work for this key. Returns null without running it if too many calls are waiting. */
  take<T extends object>(key: string, work: () => Promise<T>): Promise<T | null>
}

/** Creates a queue for each key. A queue exists only while it has work. */
export function createTurns(maxWaiting: number): Turns {
  const queues = new Map<string, { queue: ReturnType<typeof createBoundedQueue>; standing: number }>()
  return {
    async take(key, work) {
      const entry = queues.get(key) ?? {
        queue: createBoundedQueue({ concurrency: 1, maxWaiting }),
        standing: 0,
      }
      queues.set(key, entry)
      entry.standing += 1
      try {
        return await entry.queue.run(work)
      } catch (error) {
        if (error instanceof PoolBusyError) return null
        throw error
      } finally {
        entry.standing -= 1
        if (entry.standing === 0) queues.delete(key)
      }
    },
  }
}
