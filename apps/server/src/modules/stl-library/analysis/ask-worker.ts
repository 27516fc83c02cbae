import { type WorkerPool, isOutOfLimits } from '../../../platform/workers/worker-pool.ts'

const WORKER_DEADLINE_MS = 60_000

/** A failure that would repeat for the same file, so a retry is pointless. */
const isFinal = (error: unknown): boolean => error instanceof RangeError || isOutOfLimits(error)

/**
 * Asks a worker thread within the deadline of an analysis. Failures that would repeat for the same file come back as
 * `reason`; everything else is thrown and may be retried.
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
