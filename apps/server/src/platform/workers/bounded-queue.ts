/** Everything is busy and the queue is full; the caller should answer "try again later". */
export class PoolBusyError extends Error {
  override name = 'PoolBusyError'
  readonly code = 'POOL_BUSY'
}

/** Runs at most so many at a time, lets at most so many wait, and turns the rest away at once. */
export interface BoundedQueue {
  /**
   * Runs the work when it is its turn. Rejects with PoolBusyError when too many wait already, and with
   * the signal's reason when that aborts while waiting.
   */
  run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>
}

/** A queue with an end, for work that would starve everything else if all of it ran at once. */
export function createBoundedQueue(limits: { concurrency: number; maxWaiting: number }): BoundedQueue {
  const waiting = new Set<() => void>()
  let running = 0

  const waitForTurn = async (signal: AbortSignal | undefined): Promise<void> => {
    if (waiting.size >= limits.maxWaiting) throw new PoolBusyError('Too many are waiting already.')
    const turn = Promise.withResolvers<void>()
    const leave = () => {
      waiting.delete(turn.resolve)
      turn.reject(signal?.reason)
    }
    waiting.add(turn.resolve)
    signal?.addEventListener('abort', leave, { once: true })
    try {
      await turn.promise
    } finally {
      signal?.removeEventListener('abort', leave)
    }
  }

  const giveTurn = (): void => {
    const [next] = waiting
    if (!next) {
      running -= 1
      return
    }
    // The turn is handed over, so that nobody who comes in between can overtake.
    waiting.delete(next)
    next()
  }

  return {
    async run(work, signal) {
      signal?.throwIfAborted()
      if (running < limits.concurrency) running += 1
      else await waitForTurn(signal)
      try {
        return await work()
      } finally {
        giveTurn()
      }
    },
  }
}
