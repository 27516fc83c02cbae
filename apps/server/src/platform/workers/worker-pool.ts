import { basename } from 'node:path'
import { Piscina } from 'piscina'
import type { ServiceLog } from '../log/service-log.ts'
import { trace } from '../tracing/tracing.ts'
import { createBoundedQueue } from './bounded-queue.ts'
import { CodedError } from '../errors/coded-error.ts'

/** The task exceeded its deadline, so its thread was ended. */
export class DeadlineError extends CodedError {
  readonly code = 'DEADLINE_EXCEEDED'
}

/** The task exceeded the memory limit of a thread, so its thread was ended. */
export class OutOfMemoryError extends CodedError {
  readonly code = 'OUT_OF_MEMORY'
}

/** Whether a task has exceeded its time or memory limit. If so, a retry with the same input would fail, too. */
export const isOutOfLimits = (error: unknown): boolean =>
  error instanceof DeadlineError || error instanceof OutOfMemoryError

const IDLE_TIMEOUT_MS = 30_000

export interface WorkerPoolOptions {
  /** The module whose default export does the work. It may be TypeScript. */
  entry: URL
  maxThreads: number
  /** The number of tasks that may wait for a thread. */
  maxQueue: number
  /** The memory for JavaScript objects in each thread, in MiB. Array buffers are not included. */
  memoryLimitMb: number
  /** How long an idle thread is kept; 30 seconds by default. */
  idleTimeoutMs?: number
  log?: ServiceLog
}

export interface WorkerPool {
  /**
   * Runs one task in a thread. At the deadline, or when the signal aborts, ends the thread at once. Rejects with
   * PoolBusyError, DeadlineError, OutOfMemoryError, the signal's reason, or the task's own error.
   */
  run<T>(task: unknown, options: RunOptions): Promise<T>
  /** The number of live threads. */
  readonly threadCount: number
  /** Ends all threads. Running and waiting tasks are rejected. */
  close(): Promise<void>
}

export interface RunOptions {
  /** The time limit for the task, in milliseconds. Waiting for a thread is not included. */
  deadlineMs: number
  signal?: AbortSignal
}

/** Creates a pool whose threads start when there is work, and end after some idle time. */
export function createWorkerPool(options: WorkerPoolOptions): WorkerPool {
  const pool = new Piscina({
    filename: options.entry.href,
    minThreads: 0,
    maxThreads: options.maxThreads,
    idleTimeout: options.idleTimeoutMs ?? IDLE_TIMEOUT_MS,
    resourceLimits: { maxOldGenerationSizeMb: options.memoryLimitMb },
    // Nobody reads Piscina's own statistics. They would slow the start of the server and take memory in each pool.
    recordTiming: false,
    // Threads parse files of strangers, so they get no environment variables, which contain secrets.
    env: {},
  })
  // If a thread fails while it is idle, no task can be rejected. Without this listener, the error would end the
  // process.
  pool.on('error', (error) => options.log?.warn({ err: error }, 'an idle worker thread failed'))

  // Do not use Piscina's own queue: after an abort ends a thread, it stalls until the next call.
  const queue = createBoundedQueue({ concurrency: options.maxThreads, maxWaiting: options.maxQueue })

  return {
    run: (task, runOptions) =>
      trace({ name: `worker ${basename(options.entry.pathname, '.worker.ts')}` }, () =>
        queue.run(() => runInPool(pool, task, runOptions), runOptions.signal),
      ),
    get threadCount() {
      return pool.threads.length
    },
    close: () => pool.destroy(),
  }
}

async function runInPool<T>(pool: Piscina, task: unknown, options: RunOptions): Promise<T> {
  options.signal?.throwIfAborted()
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(), options.deadlineMs)
  const signal = options.signal ? AbortSignal.any([options.signal, deadline.signal]) : deadline.signal
  try {
    return await pool.run(task, { signal })
  } catch (error) {
    options.signal?.throwIfAborted()
    if (deadline.signal.aborted) {
      throw new DeadlineError(`The work took longer than ${options.deadlineMs} ms.`, { cause: error })
    }
    throw knownError(error)
  } finally {
    clearTimeout(timer)
  }
}

function knownError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  if ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') {
    return new OutOfMemoryError('The work needed more memory than it may have.', { cause: error })
  }
  return error
}
