import { CodedError } from '../errors/coded-error.ts'

/** Thrown if all slots are busy and the queue is full. The caller should tell the client to try again later. */
export class PoolBusyError extends CodedError {
  readonly code = 'POOL_BUSY'
}

/** Runs a limited number of calls at a time. Further calls wait, and if too many wait, calls are refused at once. */
export interface BoundedQueue {
  /**
   * Runs the work when a slot is free. Rejects with PoolBusyError if too many calls are waiting, or with the
   * signal's reason if the signal aborts while the call waits.
   */
  run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>
}

/** Creates a bounded queue. Use it for work that would slow down everything else if many calls ran at once. */
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
    // Give the free slot directly to the waiting call, so that no newer call can take it.
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
