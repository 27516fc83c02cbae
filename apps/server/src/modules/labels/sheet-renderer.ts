import { AppError } from '../../platform/errors/app-error.ts'
import type { ServiceLog } from '../../platform/service-log.ts'
import { PoolBusyError } from '../../platform/workers/bounded-queue.ts'
import { DeadlineError, type WorkerPool, createWorkerPool } from '../../platform/workers/worker-pool.ts'
import type { SheetRequest } from './sheet.protocol.ts'

const DEADLINE_MS = 60_000
const RETRY_SECONDS = 5

/** One thread, because two long runs at once are rare. It starts with the first sheet. */
export const createSheetWorkers = (log: ServiceLog): WorkerPool =>
  createWorkerPool({
    entry: new URL('./sheet.worker.ts', import.meta.url),
    maxThreads: 1,
    maxQueue: 20,
    memoryLimitMb: 512,
    log,
  })

/** Renders labels as a PDF. Throws UNAVAILABLE if too many sheets are waiting or a sheet takes too long. */
export type DrawSheet = (request: SheetRequest) => Promise<Buffer>

export const createDrawSheet =
  (workers: Pick<WorkerPool, 'run'>): DrawSheet =>
  async (request) => {
    try {
      const bytes = await workers.run<Uint8Array>(request, { deadlineMs: DEADLINE_MS })
      return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    } catch (cause) {
      if (!(cause instanceof PoolBusyError || cause instanceof DeadlineError)) throw cause
      throw new AppError('UNAVAILABLE', { cause, retryAfterSeconds: RETRY_SECONDS })
    }
  }
