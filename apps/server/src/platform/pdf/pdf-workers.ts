import { AppError } from '../errors/app-error.ts'
import type { ServiceLog } from '../log/service-log.ts'
import { PoolBusyError } from '../workers/bounded-queue.ts'
import { DeadlineError, type WorkerPool, createWorkerPool } from '../workers/worker-pool.ts'

const DEADLINE_MS = 60_000
const RETRY_SECONDS = 5

/**
 * Creates the pool that draws PDFs in a thread. `entry` is the file that the thread runs. One thread is enough, because
 * two large PDFs are seldom drawn at once. It starts with the first PDF.
 */
export const createPdfWorkers = (entry: URL, log: ServiceLog): WorkerPool =>
  createWorkerPool({ entry, maxThreads: 1, maxQueue: 20, memoryLimitMb: 512, log })

/** Draws a PDF. Throws UNAVAILABLE if too many requests are waiting, or if drawing takes too long. */
export type DrawPdf<Request> = (request: Request) => Promise<Buffer>

export const createDrawPdf =
  <Request>(workers: Pick<WorkerPool, 'run'>): DrawPdf<Request> =>
  async (request) => {
    try {
      const bytes = await workers.run<Uint8Array>(request, { deadlineMs: DEADLINE_MS })
      return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    } catch (cause) {
      if (!(cause instanceof PoolBusyError || cause instanceof DeadlineError)) throw cause
      throw new AppError('UNAVAILABLE', { cause, retryAfterSeconds: RETRY_SECONDS })
    }
  }
