import { CodedError } from '../errors/coded-error.ts'

/** All slots are busy and the queue is full. The caller should respond with "try again later". */
export class PoolBusyError extends CodedError {
  readonly code = 'POOL_BUSY'
}

/**
 * Runs a limited number of calls at a time, lets a limited number wait, and refuses further calls at once.
 */
export interface BoundedQueue {
  /**
   * Runs the work when a slot is free. Rejects with PoolBusyError if too many calls are waiting, or with the
   * signal's reason if the signal aborts while the call waits.
   */
  run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>
}

/** Creates a bounded queue. Use it for work that would starve everything else if all of it ran at once. */
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
    // Hand over the free slot directly, so that no newcomer can overtake.
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
