import type { ServiceLog } from '../service-log.ts'

/** One kind of background work. It runs at least once, so a second run must be harmless. */
export interface TaskDefinition<T extends object> {
  /** Letters, digits, `.`, `_`, `-`, such as `stl-library.analyse`. */
  name: string
  /** After this the signal aborts and the attempt counts as failed. */
  deadlineSeconds: number
  /** How often it is repeated after a failure, with growing pauses of 1 s to 1 min. */
  retryLimit: number
  /** How many run at a time in this process; 1 by default. */
  concurrency?: number
  run(data: T, context: TaskContext): Promise<void>
  /**
   * What our own tables say is still to be done, asked at each start: what no task stands for gets one. Tasks that wait for two
   * weeks, because the product is off, are thrown away, and the work that they stood for must not be.
   */
  listOpen?(): Promise<T[]>
  /** Called when all attempts have failed: once, except that it is repeated when it fails itself. */
  onFailed?(data: T, error: Error): Promise<void> | void
}

export interface TaskContext {
  /** Aborts at the deadline, when the product stops, or when another process has taken the task over. */
  signal: AbortSignal
  /** 1 for the first. */
  attempt: number
  log: ServiceLog
}
