import { setTimeout as wait } from 'node:timers/promises'
import { HOUR_MS, MINUTE_MS } from './clock.ts'
import { ADVISORY_LOCKS, tryAdvisoryLock } from './database/advisory-lock.ts'
import type { Database } from './database/database.ts'
import type { ServiceLog } from './service-log.ts'

/** Removes data that is no longer needed; harmless when run twice. */
export interface CleanupJob {
  name: string
  run(): Promise<unknown>
}

export interface CleanupRunner {
  /** Runs all jobs now, unless another process does. A failed job is logged and the others continue. */
  run(): Promise<void>
  /** Runs them every hour. */
  start(): void
  stop(): Promise<void>
}

/** A restart neither triggers a cleanup nor delays it forever. */
const FIRST_MS = 5 * MINUTE_MS

export function createCleanupRunner(deps: {
  database: Database
  log: ServiceLog
  chores: readonly CleanupJob[]
}): CleanupRunner {
  const { database, log, chores } = deps
  const stopping = new AbortController()
  let kept: Promise<void> | undefined

  const runAll = async (): Promise<void> => {
    for (const chore of chores) {
      if (stopping.signal.aborted) return
      await chore
        .run()
        .catch((error: unknown) => log.warn({ err: error, chore: chore.name }, 'housekeeping failed'))
    }
  }
  const run = async (): Promise<void> => {
    await tryAdvisoryLock(database.sql, ADVISORY_LOCKS.housekeeping, runAll)
  }
  const keep = async (): Promise<void> => {
    for (let pauseMs = FIRST_MS; ; pauseMs = HOUR_MS) {
      await wait(pauseMs, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined)
      if (stopping.signal.aborted) return
      await run().catch((error: unknown) => log.warn({ err: error }, 'housekeeping was put off'))
    }
  }
  return {
    run,
    start() {
      kept ??= keep()
    },
    async stop() {
      stopping.abort()
      await kept
    },
  }
}
