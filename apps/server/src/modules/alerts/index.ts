import { type Clock, SECOND_MS } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Endpoints } from '../../platform/http/endpoints.ts'
import type { MailTransport } from '../../platform/mail/mail.ts'
import { type Poller, createPoller } from '../../platform/poller.ts'
import type { ServiceLog } from '../../platform/log/service-log.ts'
import { addAlertRoutes } from './alerts.routes.ts'
import { createAlerts } from './alerts.service.ts'
import { mailAlerts } from './alert-mails.service.ts'
import { dispatchAlerts } from './alert-dispatcher.service.ts'

const LOOK_FOR_NEWS_MS = 5 * SECOND_MS

interface AlertsModule {
  /** Creates alerts for new events, and sends due emails. */
  dispatcher: Poller
  /** Deletes alerts older than 90 days. Called every hour. */
  purge(): Promise<void>
}

/** Adds the module that creates alerts, sends them to people, devices and channels, and stores who has read them. */
export function addAlerts(
  endpoints: Endpoints,
  deps: { database: Database; clock: Clock; mail: MailTransport; publicUrl: string; log: ServiceLog },
): AlertsModule {
  const alerts = createAlerts(deps)
  addAlertRoutes(endpoints, { alerts })
  const dispatcher = createPoller({
    name: 'alerts',
    pauseMs: LOOK_FOR_NEWS_MS,
    async work() {
      await dispatchAlerts(deps)
      await mailAlerts(deps)
    },
    log: deps.log,
  })
  return { dispatcher, purge: () => alerts.purge() }
}
