import type { ServiceLog } from '../service-log.ts'

/** One kind of background work. It runs at least once, so a second run must be harmless. */
export interface TaskDefinition<T extends object> {
  /** Letters, digits, `.`, `_`, `-`, for example `stl-library.analyse`. */
  name: string
  /** After this time the signal aborts and the attempt counts as failed. */
  deadlineSeconds: number
  /** How often it is retried after a failure, with growing pauses of 1 s to 1 min. */
  retryLimit: number
  /** How many run at a time in this process; 1 by default. */
  concurrency?: number
  run(data: T, context: TaskContext): Promise<void>
  /**
   * Open work according to our own tables, read at each start: work without a task gets one. Tasks that wait for two
   * weeks, because the product is off, are dropped, but their work must not be lost.
   */
  listOpen?(): Promise<T[]>
  /** Called once when all attempts have failed; repeated if it fails itself. */
  onFailed?(data: T, error: Error): Promise<void> | void
}

export interface TaskContext {
  /** Aborts at the deadline, when the product stops, or when another process has taken over the task. */
  signal: AbortSignal
  /** 1 for the first attempt. */
  attempt: number
  log: ServiceLog
}
