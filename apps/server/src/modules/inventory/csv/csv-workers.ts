import { AppError } from '../../../platform/errors/app-error.ts'
import type { ServiceLog } from '../../../platform/log/service-log.ts'
import { PoolBusyError } from '../../../platform/workers/bounded-queue.ts'
import {
  DeadlineError,
  OutOfMemoryError,
  type WorkerPool,
  createWorkerPool,
} from '../../../platform/workers/worker-pool.ts'
import type { CsvResult } from './csv.worker.ts'
import type { CsvRows } from './read-item-rows.ts'
import { refuseFile } from './read-csv.ts'

const DEADLINE_MS = 20_000
const RETRY_SECONDS = 5

/**
 * Creates the thread that parses CSV files. It starts with the first import. One thread is enough, because
 * two imports at the same time are rare.
 */
export const createCsvWorkers = (log: ServiceLog): WorkerPool =>
  createWorkerPool({
    entry: new URL('./csv.worker.ts', import.meta.url),
    maxThreads: 1,
    maxQueue: 20,
    memoryLimitMb: 512,
    log,
  })

/** Parses a CSV file in a worker thread. Throws TABLE_REJECTED, or UNAVAILABLE if too many files are waiting. */
export type ReadItemRows = (bytes: Uint8Array) => Promise<CsvRows>

export const createReadItemRows =
  (workers: Pick<WorkerPool, 'run'>): ReadItemRows =>
  async (bytes) => {
    try {
      const result = await workers.run<CsvResult>(bytes, { deadlineMs: DEADLINE_MS })
      return 'table' in result ? result.table : refuseFile(result.rejection)
    } catch (cause) {
      if (cause instanceof DeadlineError || cause instanceof OutOfMemoryError)
        return refuseFile('It takes too long to read this file. Please split it.')
      if (!(cause instanceof PoolBusyError)) throw cause
      throw new AppError('UNAVAILABLE', { cause, retryAfterSeconds: RETRY_SECONDS })
    }
  }
