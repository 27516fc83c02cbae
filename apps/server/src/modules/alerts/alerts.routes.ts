import {
  countUnreadAlerts,
  getAlertPreferences,
  listAlerts,
  readAlert,
  readAllAlerts,
  updateAlertPreferences,
} from '@pegasus/contracts/alerts'
import type { Endpoints } from '../../platform/http/endpoints.ts'
import { requiredRevisionIn } from '../../platform/http/etag.ts'
import { sendPageHeaders } from '../../platform/http/paging.ts'
import type { Alerts } from './alerts.service.ts'

export function addAlertRoutes(endpoints: Endpoints, { alerts }: { alerts: Alerts }): void {
  endpoints.add(listAlerts, async ({ user: { user }, query, request, reply }) => {
    const { limit, cursor, unread_only: unreadOnly } = query
    const page = await alerts.list(user, { unreadOnly: unreadOnly === 'true', cursor, limit })
    sendPageHeaders(request, reply, page)
    return page.items
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
