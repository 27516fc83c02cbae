import { getStats, getStatsHistory } from '@pegasus/contracts/stats'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Endpoints } from '../../platform/http/endpoints.ts'
import { createStats } from './stats.service.ts'

/** Adds the endpoints for the figures on the dashboard. */
export function addStats(
  endpoints: Endpoints,
  deps: { database: Database; clock: Clock; currency: string },
): void {
  const stats = createStats(deps)

  endpoints.add(getStats, () => stats.read())

  endpoints.add(getStatsHistory, ({ query }) =>
    stats.readHistory({ days: query.days, timeZone: query.time_zone }),
  )
}
