import type { ServiceLog } from '../service-log.ts'

/** One kind of background work. A task runs at least once, so a second run must be harmless. */
export interface TaskDefinition<T extends object> {
  /** A name of letters, digits, `.`, `_` and `-`, for example `stl-library.analyse`. */
  name: string
  /** After this time the signal aborts and the attempt counts as failed. */
  deadlineSeconds: number
  /** The number of retries after a failure. The pauses grow from 1 s to 1 min. */
  retryLimit: number
  /** The number of tasks that run at a time in this process; 1 by default. */
  concurrency?: number
  run(data: T, context: TaskContext): Promise<void>
  /**
   * Returns the open work according to our own tables. It is called at each start, and work without a task gets a task.
   * Tasks that wait for two weeks, because the product is off, are dropped, but their work must not be lost.
   */
  listOpen?(): Promise<T[]>
  /** Called once when all attempts have failed. The call is repeated if it fails itself. */
  onFailed?(data: T, error: Error): Promise<void> | void
}

export interface TaskContext {
  /** Aborts at the deadline, when the product stops, or when another process has taken over the task. */
  signal: AbortSignal
  /** 1 for the first attempt. */
  attempt: number
  log: ServiceLog
}
