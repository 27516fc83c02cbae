import type { Queryable } from '../database/database.ts'
import type { ServiceLog } from '../log/service-log.ts'

/** One kind of background work. A task runs at least once, so running it twice must be harmless. */
export interface TaskDefinition<T extends object> {
  /** A name of letters, digits, `.`, `_` and `-`, for example `stl-library.analyse`. */
  name: string
  /** The seconds after which the signal aborts and the attempt counts as failed. */
  deadlineSeconds: number
  /** The number of retries after a failure. The pauses between them grow from 1 s to 1 min. */
  retryLimit: number
  /** How many tasks this process runs at a time; 1 by default. */
  concurrency?: number
  /** Does the work. If it throws, the attempt has failed, and another one follows while retries are left. */
  run(data: T, context: TaskContext): Promise<void>
  /**
   * Returns the data of all unfinished work, from our own tables. Called at each start, which creates the tasks that
   * are missing. Tasks can be missing because pg-boss drops those that have waited for two weeks, for example while the
   * server was off.
   */
  listOpen?(): Promise<T[]>
  /** Called when all attempts have failed. It is called again if it throws. */
  onFailed?(data: T, error: Error): Promise<void> | void
  /** Returns the object of a task, or null if it no longer exists. Called when a person looks at the task. */
  describe?(sql: Queryable, data: T): Promise<TaskSubject | null>
  /**
   * Undoes the result of `onFailed` in the caller's transaction, so that the work is unfinished again. Returns the data
   * of the new task, or null if the work is done or no longer wanted. Without this function, a failed task runs again
   * with its own data.
   */
  reopen?(tx: Queryable, data: T): Promise<T | null>
}

/** The object that a task is about, as shown to people. */
export interface TaskSubject {
  name: string
  /** The page of the object in the web app, as a path with its query. Null if it has none. */
  path: string | null
}

export interface TaskContext {
  /** Aborted at the deadline, when the server stops, or when another process takes over the task. */
  signal: AbortSignal
  /** 1 in the first attempt. */
  attempt: number
  log: ServiceLog
}
