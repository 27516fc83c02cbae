import { type Clock, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { ServiceLog } from '../../platform/log/service-log.ts'
import type { SecurityLogTarget } from './security-log-target.ts'
import { SECURITY_ACTIONS } from './security-event.ts'
import {
  type QueuedEvent,
  claimEvents,
  countWaitingEvents,
  deleteEvents,
  dropEvents,
  dropEventsAbove,
  keepActionsQueued,
  releaseEvents,
  returnDropped,
  takeDropped,
} from './security-log.queries.ts'
import { EventsRefusedError, sendEvents } from './send-events.ts'

const BATCH = 200
/**
 * How long a claim of events is valid. After that, another process can send them, for example because this process has
 * crashed.
 */
const CLAIM_MS = 30 * SECOND_MS
/** The time limit for sending a batch. It is shorter than a claim, so that two processes do not send the same batch. */
const BATCH_MS = 20 * SECOND_MS
const FIRST_PAUSE_MS = 2 * SECOND_MS
const LONGEST_PAUSE_MS = MINUTE_MS
/** How often the log repeats that events cannot be sent. */
const SAY_AGAIN_MS = HOUR_MS

export interface SecurityLogOptions {
  database: Database
  clock: Clock
  target: SecurityLogTarget
  /** Maximum number of waiting events. Above it, the oldest ones are dropped. */
  maxQueued: number
  log: ServiceLog
}

const idsOf = (claimed: readonly QueuedEvent[]): string[] => claimed.map(({ queueId }) => queueId)

/**
 * Creates the function that sends the waiting events, oldest first. After each failure, it pauses for longer. It sends
 * each event at least once, unless the event is dropped.
 */
export function createSecurityLogSender(deps: SecurityLogOptions): (stopping: AbortSignal) => Promise<void> {
  const { database, clock, target, maxQueued, log } = deps
  const { sql } = database
  let pauseMs = 0
  let retryAt = 0
  /** When the log last said that events cannot be sent. */
  let saidAt: number | null = null

  const dropAboveLimit = async (): Promise<void> => {
    const dropped = await dropEventsAbove(sql, maxQueued, clock.now())
    if (dropped > 0) log.error({ dropped }, 'security events were dropped, because too many wait')
  }

  /** Sends the other system a note about how many events were dropped. */
  const reportDropped = async (signal: AbortSignal): Promise<void> => {
    const dropped = await takeDropped(sql)
    if (dropped === 0) return
    const at = clock.now().toISOString()
    try {
      await sendEvents(target, [{ action: 'security_log.dropped', at, dropped }], signal)
    } catch (error) {
      await returnDropped(sql, dropped)
      if (!(error instanceof EventsRefusedError)) throw error
    }
  }

  /**
   * Sends events, and deletes those that were accepted. Returns the events that the other system refuses even when they
   * are sent one by one.
   */
  const deliver = async (
    claimed: readonly QueuedEvent[],
    signal: AbortSignal,
  ): Promise<readonly QueuedEvent[]> => {
    const events = claimed.map(({ event }) => event)
    try {
      await sendEvents(target, events, signal)
    } catch (error) {
      if (!(error instanceof EventsRefusedError)) throw error
      if (claimed.length === 1) return claimed
      const middle = Math.ceil(claimed.length / 2)
      const refused = await deliver(claimed.slice(0, middle), signal)
      return [...refused, ...(await deliver(claimed.slice(middle), signal))]
    }
    await deleteEvents(sql, idsOf(claimed))
    return []
  }

  const sendBatch = async (claimed: readonly QueuedEvent[], stopping: AbortSignal): Promise<void> => {
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(BATCH_MS)])
    await reportDropped(signal)
    const refused = await deliver(claimed, signal)
    if (refused.length === 0) return
    // The other system has refused all events, so it is probably misconfigured. Keep the events waiting.
    if (refused.length === claimed.length)
      throw new EventsRefusedError('the other system refuses every security event')
    await dropEvents(sql, idsOf(refused))
    const events = refused.map(({ event }) => ('id' in event ? event.id : null))
    log.error({ events }, 'security events were dropped, because the other system refuses them')
  }

  const noteFailure = async (claimed: readonly QueuedEvent[], error: unknown): Promise<void> => {
    const now = clock.now().getTime()
    pauseMs = Math.min(Math.max(FIRST_PAUSE_MS, pauseMs * 2), LONGEST_PAUSE_MS)
    retryAt = now + pauseMs
    await releaseEvents(sql, idsOf(claimed))
    if (saidAt !== null && now - saidAt < SAY_AGAIN_MS) return
    saidAt = now
    const waiting = await countWaitingEvents(sql)
    log.warn({ err: error, waiting }, 'security events could not be sent; they wait')
  }

  return async (stopping) => {
    // Another process may have started with no address or with fewer actions, and may have stopped queuing events.
    await keepActionsQueued(sql, SECURITY_ACTIONS)
    for (;;) {
      await dropAboveLimit()
      if (stopping.aborted || clock.now().getTime() < retryAt) return
      const claimed = await claimEvents(sql, { limit: BATCH, claimMs: CLAIM_MS, now: clock.now() })
      if (claimed.length === 0) return
      try {
        await sendBatch(claimed, stopping)
      } catch (error) {
        return noteFailure(claimed, error)
      }
      if (pauseMs > 0) log.info('security events are sent again')
      pauseMs = 0
      saidAt = null
    }
  }
}
