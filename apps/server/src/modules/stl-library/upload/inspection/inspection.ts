import type { ServiceLog } from '../../../../platform/log/service-log.ts'
import { type WorkerPool, createWorkerPool } from '../../../../platform/workers/worker-pool.ts'
import type { InspectionResult, ReadRequest } from './inspection.protocol.ts'

const DEADLINE_MS = 60_000

/**
 * Creates the threads that inspect received files. They are separate from the analysis threads, because
 * people wait for the result of an inspection.
 */
export const createInspectionWorkers = (log: ServiceLog): WorkerPool =>
  createWorkerPool({
    entry: new URL('./inspection.worker.ts', import.meta.url),
    maxThreads: 2,
    maxQueue: 50,
    memoryLimitMb: 1024,
    log,
  })

/** Inspects a file in a worker thread. Throws PoolBusyError if too many files are waiting. */
export type Inspect = (
  request: Pick<ReadRequest, 'path' | 'format'>,
  signal?: AbortSignal,
) => Promise<InspectionResult>

/** Messages for failures that would repeat for the same file. */
const TOO_MUCH: Readonly<Record<string, string>> = {
  DEADLINE_EXCEEDED: 'It takes too long to read this file. Simplify the model, or export it as binary STL.',
  OUT_OF_MEMORY:
    'It takes too much memory to read this file. Simplify the model, or export it as binary STL.',
}

export function createInspect(workers: WorkerPool, limits: { uploadLimitBytes: number }): Inspect {
  return async (request, signal) => {
    try {
      const task: ReadRequest = { work: 'read', ...request, ...limits }
      return await workers.run<InspectionResult>(task, { deadlineMs: DEADLINE_MS, ...(signal && { signal }) })
    } catch (error) {
      signal?.throwIfAborted()
      const code = error instanceof Error && 'code' in error ? String(error.code) : ''
      const message = error instanceof RangeError ? TOO_MUCH['OUT_OF_MEMORY'] : TOO_MUCH[code]
      if (message === undefined) throw error
      return { ok: false, kind: request.format === 'zip' ? 'archive' : 'model', message }
    }
  }
}
