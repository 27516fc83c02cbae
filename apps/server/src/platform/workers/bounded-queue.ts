/** All slots are busy and the queue is full; the caller should answer "try again later". */
export class PoolBusyError extends Error {
  override name = 'PoolBusyError'
  readonly code = 'POOL_BUSY'
}

/** Runs a limited number at a time, lets a limited number wait, and refuses the rest at once. */
export interface BoundedQueue {
  /**
   * Runs the work when it is its turn. Rejects with PoolBusyError if too many wait already, and with the signal's
   * reason if that aborts while waiting.
   */
  run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>
}

/** A bounded queue, for work that would starve everything else if all of it ran at once. */
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
    // The turn is handed over directly, so that no newcomer can overtake.
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
