import { setTimeout as wait } from 'node:timers/promises'
import { HOUR_MS, MINUTE_MS } from './clock.ts'
import { ADVISORY_LOCKS, tryAdvisoryLock } from './database/advisory-lock.ts'
import type { Database } from './database/database.ts'
import type { ServiceLog } from './log/service-log.ts'

/** Work that removes data of one kind that is no longer needed. Running it twice is harmless. */
export interface CleanupJob {
  name: string
  run(): Promise<unknown>
}

export interface CleanupRunner {
  /**
   * Runs all jobs now, unless another process is running them. A failed job is logged, and the others
   * continue.
   */
  run(): Promise<void>
  /** Runs the jobs every hour. */
  start(): void
  stop(): Promise<void>
}

/**
 * The time between the start of the server and the first cleanup. A restart does not trigger a cleanup at once, and
 * even a server that is restarted every few hours cleans up.
 */
const FIRST_MS = 5 * MINUTE_MS

export function createCleanupRunner(deps: {
  database: Database
  log: ServiceLog
  jobs: readonly CleanupJob[]
}): CleanupRunner {
  const { database, log, jobs } = deps
  const stopping = new AbortController()
  let running: Promise<void> | undefined

  const runAll = async (): Promise<void> => {
    for (const job of jobs) {
      if (stopping.signal.aborted) return
      await job
        .run()
        .catch((error: unknown) => log.warn({ err: error, job: job.name }, 'a cleanup job failed'))
    }
  }
  const run = async (): Promise<void> => {
    await tryAdvisoryLock(database.sql, ADVISORY_LOCKS.cleanup, runAll)
  }
  const repeat = async (): Promise<void> => {
    for (let pauseMs = FIRST_MS; ; pauseMs = HOUR_MS) {
      await wait(pauseMs, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined)
      if (stopping.signal.aborted) return
      await run().catch((error: unknown) => log.warn({ err: error }, 'cleanup was postponed'))
    }
  }
  return {
    run,
    start() {
      running ??= repeat()
    },
    async stop() {
      stopping.abort()
      await running
    },
  }
}
