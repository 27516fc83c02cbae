import { type Clock, SECOND_MS } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { type Poller, createPoller } from '../../platform/poller.ts'
import type { ServiceLog } from '../../platform/log/service-log.ts'
import { SECURITY_ACTIONS } from './security-event.ts'
import { type SecurityLogTarget, isReadableOnTheWay } from './security-log-target.ts'
import { setQueuedActions, stopQueue } from './security-log.queries.ts'
import { createSecurityLogSender } from './security-log.service.ts'

export { type SecurityLogTarget, readSecurityLogTarget } from './security-log-target.ts'

/** Maximum number of events that wait while the other system cannot be reached. */
export const MAX_QUEUED_EVENTS = 100_000
const LOOK_FOR_EVENTS_MS = SECOND_MS

/** Sends security events to another system if one is configured. Returns the poller that sends them. */
export async function addSecurityLog(deps: {
  database: Database
  clock: Clock
  /** The system that receives the events. Null if there is none. */
  target: SecurityLogTarget | null
  log: ServiceLog
  maxQueued?: number | undefined
}): Promise<Poller> {
  const { target, maxQueued = MAX_QUEUED_EVENTS, ...rest } = deps
  if (target === null) {
    const deleted = await stopQueue(deps.database.sql)
    if (deleted !== null)
      deps.log.warn(
        { deleted },
        'no security event is kept any longer, because SECURITY_LOG_URL is not set; waiting events were deleted',
      )
  } else {
    await setQueuedActions(deps.database.sql, SECURITY_ACTIONS)
    if (isReadableOnTheWay(target))
      deps.log.warn(
        'security events are sent without encryption; SECURITY_LOG_URL should begin with https://',
      )
  }
  const send = target && createSecurityLogSender({ ...rest, target, maxQueued })
  return createPoller({
    name: 'security events',
    pauseMs: LOOK_FOR_EVENTS_MS,
    work: async (stopping) => send?.(stopping),
    log: deps.log,
  })
}
