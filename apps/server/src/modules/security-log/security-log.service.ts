import { type Clock, MINUTE_MS, SECOND_MS } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { ServiceLog } from '../../platform/service-log.ts'
import type { SecurityLogTarget } from './security-log-target.ts'
import {
  type QueuedEvent,
  claimEvents,
  countDropped,
  deleteEvents,
  dropEventsAbove,
  noteReportedDrops,
  releaseEvents,
} from './security-log.queries.ts'
import { sendEvents } from './send-events.ts'

const BATCH = 200
/** Longer than the deadline of a batch. After a crash, another process sends the batch again. */
const CLAIM_MS = 30 * SECOND_MS
const FIRST_PAUSE_MS = 2 * SECOND_MS
const LONGEST_PAUSE_MS = MINUTE_MS

export interface SecurityLogOptions {
  database: Database
  clock: Clock
  target: SecurityLogTarget
  /** How many events wait at most. The oldest ones above it are dropped. */
  maxQueued: number
  log: ServiceLog
}

/**
 * Creates the function that sends the waiting events, oldest first. After a failure, it waits for growing
 * pauses. Each event is sent at least once, unless it is dropped.
 */
export function createSecurityLogSender(deps: SecurityLogOptions): (stopping: AbortSignal) => Promise<void> {
  const { database, clock, target, maxQueued, log } = deps
  const { sql } = database
  let pauseMs = 0
  let retryAt = 0

  const sendBatch = async (claimed: readonly QueuedEvent[], stopping: AbortSignal): Promise<void> => {
    const dropped = await countDropped(sql)
    const events = claimed.map(({ event }) => event)
    const at = clock.now().toISOString()
    const note = dropped > 0 ? [{ action: 'security_log.dropped' as const, at, dropped }] : []
    await sendEvents(target, [...note, ...events], stopping)
    await deleteEvents(
      sql,
      claimed.map(({ queueId }) => queueId),
    )
    if (dropped > 0) await noteReportedDrops(sql, dropped)
  }

  const noteFailure = async (claimed: readonly QueuedEvent[], error: unknown): Promise<void> => {
    if (pauseMs === 0) log.warn({ err: error }, 'security events could not be sent; they wait')
    pauseMs = Math.min(Math.max(FIRST_PAUSE_MS, pauseMs * 2), LONGEST_PAUSE_MS)
    retryAt = clock.now().getTime() + pauseMs
    await releaseEvents(
      sql,
      claimed.map(({ queueId }) => queueId),
    )
    const dropped = await dropEventsAbove(sql, maxQueued)
    if (dropped > 0) log.error({ dropped }, 'security events were dropped, because too many wait')
  }

  return async (stopping) => {
    while (!stopping.aborted && clock.now().getTime() >= retryAt) {
      const claimed = await claimEvents(sql, { limit: BATCH, claimMs: CLAIM_MS, now: clock.now() })
      if (claimed.length === 0) return
      try {
        await sendBatch(claimed, stopping)
      } catch (error) {
        return noteFailure(claimed, error)
      }
      if (pauseMs > 0) log.info('security events are sent again')
      pauseMs = 0
    }
  }
}
