import { type Clock, SECOND_MS } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { type Poller, createPoller } from '../../platform/poller.ts'
import type { ServiceLog } from '../../platform/service-log.ts'
import { SECURITY_ACTIONS } from './security-event.ts'
import type { SecurityLogTarget } from './security-log-target.ts'
import { setQueuedActions } from './security-log.queries.ts'
import { createSecurityLogSender } from './security-log.service.ts'

export { type SecurityLogTarget, readSecurityLogTarget } from './security-log-target.ts'

/** How many events wait at most while the other system cannot be reached. */
export const MAX_QUEUED_EVENTS = 100_000
const LOOK_FOR_EVENTS_MS = SECOND_MS

/** Sends security events to another system, if one is configured. Returns the poller that sends them. */
export async function addSecurityLog(deps: {
  database: Database
  clock: Clock
  /** Null if no other system gets the events. */
  target: SecurityLogTarget | null
  log: ServiceLog
  maxQueued?: number | undefined
}): Promise<Poller> {
  const { target, maxQueued = MAX_QUEUED_EVENTS, ...rest } = deps
  await setQueuedActions(deps.database.sql, target && SECURITY_ACTIONS)
  const send = target && createSecurityLogSender({ ...rest, target, maxQueued })
  return createPoller({
    name: 'security events',
    pauseMs: LOOK_FOR_EVENTS_MS,
    work: async (stopping) => send?.(stopping),
    log: deps.log,
  })
}
