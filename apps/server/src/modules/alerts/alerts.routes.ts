import {
  countUnreadAlerts,
  getAlertPreferences,
  listAlerts,
  readAlert,
  readAllAlerts,
  updateAlertPreferences,
} from '@pegasus/contracts/alerts/alerts'
import type { Endpoints } from '../../platform/http/endpoints.ts'
import { requiredRevisionIn } from '../../platform/http/etag.ts'
import type { Alerts } from './alerts.service.ts'

export function addAlertRoutes(endpoints: Endpoints, { alerts }: { alerts: Alerts }): void {
  endpoints.add(listAlerts, async ({ user: { user }, query }) => {
    const { limit, cursor, unread_only: unreadOnly } = query
    return alerts.list(user, { unreadOnly: unreadOnly === 'true', cursor, limit })
  })

  endpoints.add(countUnreadAlerts, async ({ user: { user } }) => ({ unread: await alerts.countUnread(user) }))

  endpoints.add(readAlert, async ({ user: { user }, params, reply }) => {
    await alerts.read(user, params.id)
    return reply.send()
  })

  endpoints.add(readAllAlerts, async ({ user: { user }, body, reply }) => {
    await alerts.readUpTo(user, body.up_to)
    return reply.send()
  })

  endpoints.add(getAlertPreferences, ({ user: { user } }) => alerts.getPreferences(user))

  endpoints.add(updateAlertPreferences, async ({ user: { user }, body, request }) =>
    alerts.choose(user, body, requiredRevisionIn(request)),
  )
}
