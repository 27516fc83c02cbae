import type { Database } from '../../platform/database/database.ts'
import type { Endpoints, Guard } from '../../platform/http/endpoints.ts'
import type { ServiceLog } from '../../platform/log/service-log.ts'
import { type EventHub, createEventHub } from './event-hub.ts'
import { addEventRoutes } from './events.routes.ts'

export { EVENT_CHANNEL, publish, publishAll, publishChanges } from './publish.ts'

/**
 * Adds live events for browsers. Close the returned object first: while streams are open, the server waits for their
 * connections.
 */
export function addEvents(
  endpoints: Endpoints,
  deps: { database: Database; guard: Guard; log: ServiceLog },
): Pick<EventHub, 'close' | 'countStreams'> {
  const hub = createEventHub(deps)
  addEventRoutes(endpoints, { hub, guard: deps.guard })
  return hub
}
