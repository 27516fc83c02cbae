import { type WorkerPool, isOutOfLimits } from '../../../platform/workers/worker-pool.ts'

const WORKER_DEADLINE_MS = 60_000

/** Returns whether the failure would repeat for the same file, so that a retry is pointless. */
const isFinal = (error: unknown): boolean => error instanceof RangeError || isOutOfLimits(error)

/**
 * Returns a function that sends a request to a worker thread and waits for its result, at most until the
 * deadline of an analysis. Failures that would repeat for the same file are returned as `reason`. All other
 * failures are thrown and may be retried.
 */
export const createAsk =
  <Request>(workers: WorkerPool, reason: string) =>
  async <T>(request: Request, signal: AbortSignal): Promise<T | { ok: false; reason: string }> => {
    try {
      return await workers.run<T>(request, { signal, deadlineMs: WORKER_DEADLINE_MS })
    } catch (error) {
      signal.throwIfAborted()
      if (!isFinal(error)) throw error
      return { ok: false, reason }
    }
  }
