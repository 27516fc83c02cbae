import type { WorkerPool } from '../../../platform/workers/worker-pool.ts'

const WORKER_DEADLINE_MS = 60_000

/** What the same file would run into again: no reason to try once more. */
const FINAL_CODES = new Set(['DEADLINE_EXCEEDED', 'OUT_OF_MEMORY'])

const isFinal = (error: unknown): boolean =>
  error instanceof RangeError ||
  (error instanceof Error && 'code' in error && FINAL_CODES.has(String(error.code)))

/**
 * Asks a thread under the deadline of an analysis. What the same file would run into again is answered with `reason`;
 * anything else that goes wrong is thrown, and may be tried once more.
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
