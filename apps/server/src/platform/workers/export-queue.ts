import { AppError } from '../errors/app-error.ts'
import { createBoundedQueue, PoolBusyError } from './bounded-queue.ts'

/** How many pages all exports together read at a time. This leaves most database connections free for other work. */
const PAGES_AT_ONCE = 2
const MAX_WAITING = 50
const RETRY_SECONDS = 5

/**
 * Creates a queue in which exports take turns reading their pages. The queue throws UNAVAILABLE while too
 * many exports are waiting.
 */
export function createExportQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  const turns = createBoundedQueue({ concurrency: PAGES_AT_ONCE, maxWaiting: MAX_WAITING })
  return async (work) => {
    try {
      return await turns.run(work)
    } catch (cause) {
      if (!(cause instanceof PoolBusyError)) throw cause
      throw new AppError('UNAVAILABLE', { cause, retryAfterSeconds: RETRY_SECONDS })
    }
  }
}
