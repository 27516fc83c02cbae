import type { SlicedFile } from '@pegasus/mesh/gcode/sliced-file'
import { AppError } from '../../../platform/errors/app-error.ts'
import type { ServiceLog } from '../../../platform/log/service-log.ts'
import { type WorkerPool, createWorkerPool, isOutOfLimits } from '../../../platform/workers/worker-pool.ts'
import type { SliceReadRequest, SliceReadResult } from './slice-reader.protocol.ts'

const DEADLINE_MS = 60_000

/** Creates the threads that read sliced files. The first thread starts when the first file arrives. */
export const createSliceWorkers = (log: ServiceLog): WorkerPool =>
  createWorkerPool({
    entry: new URL('./slice-reader.worker.ts', import.meta.url),
    maxThreads: 2,
    maxQueue: 50,
    memoryLimitMb: 512,
    log,
  })

/**
 * Reads a sliced file on disk. Throws SLICE_REJECTED with the reason, or PoolBusyError if too many files are
 * waiting.
 */
export type ReadSlice = (path: string) => Promise<SlicedFile>

export function createReadSlice(workers: WorkerPool, limits: { uploadLimitBytes: number }): ReadSlice {
  return async (path) => {
    const request: SliceReadRequest = { path, ...limits }
    const result = await workers
      .run<SliceReadResult>(request, { deadlineMs: DEADLINE_MS })
      .catch((error: unknown) => {
        if (!isOutOfLimits(error)) throw error
        throw new AppError('SLICE_REJECTED', {
          text: 'It takes too long or too much memory to read this file. Export it again, or as plain G-code.',
          cause: error,
        })
      })
    if (!result.ok) throw new AppError('SLICE_REJECTED', { text: result.message })
    return result
  }
}
