import { ALERT_KIND_NAMES, alertAddress, alertSentence } from '@pegasus/contracts/alerts/alert-texts'
import { alertKindsOf } from '@pegasus/contracts/alerts/alerts'
import { v7 as uuidv7 } from 'uuid'
import type { Clock } from '../../platform/clock.ts'
import { ADVISORY_LOCKS, tryTransactionLock } from '../../platform/database/advisory-lock.ts'
import type { Database, Queryable } from '../../platform/database/database.ts'
import { claimBackupAlerts } from '../backups/index.ts'
import { type ChannelEvent, deliverToChannels, deliverToDevices } from '../channels/index.ts'
import { publishAll } from '../events/index.ts'
import { claimLowFilamentCrossings, claimShortFilaments } from '../filament/index.ts'
import { claimLowStockCrossings } from '../inventory/index.ts'
import { claimOrderAlerts, claimRefusedOrders, claimShippedOrders } from '../orders/index.ts'
import { claimFailedPrintJobs, claimFinishedPrintJobs, claimPrinterErrors } from '../print-queue/index.ts'
import { claimFailedPublications } from '../products/index.ts'
import { type AlertRow, type Listener, insertAlerts, insertDeliveries } from './alerts.queries.ts'
import { completeChoices } from './alert-choices.ts'
import { listAccountsToAlert } from './alert-preferences.queries.ts'

/** Maximum number of events that one transaction claims from one source. */
const TAKEN_AT_ONCE = 100

/**
 * Claims the events since the last run from all modules. Each event is claimed once, by the transaction that
 * commits first.
 */
async function claimAlerts(tx: Queryable, now: Date): Promise<{ news: AlertRow[]; isMore: boolean }> {
  const stock = await claimLowStockCrossings(tx, TAKEN_AT_ONCE)
  const filaments = await claimLowFilamentCrossings(tx, now)
  const shortages = await claimShortFilaments(tx, now)
  const finished = await claimFinishedPrintJobs(tx, TAKEN_AT_ONCE)
  const jobs = await claimFailedPrintJobs(tx, TAKEN_AT_ONCE)
  const printers = await claimPrinterErrors(tx, TAKEN_AT_ONCE)
  const publications = await claimFailedPublications(tx, TAKEN_AT_ONCE)
  const orders = await claimOrderAlerts(tx, now, TAKEN_AT_ONCE)
  const shipped = await claimShippedOrders(tx, TAKEN_AT_ONCE)
  const refused = await claimRefusedOrders(tx, now)
  const backups = await claimBackupAlerts(tx, now)
  const createdAt = now.toISOString()
  const head = () => ({ id: uuidv7(), created_at: createdAt })
  const news: AlertRow[] = [
    ...stock.map(({ item_id: itemId, name, sku, quantity, reorder_point }) => ({
      ...head(),
      kind: 'low_stock' as const,
      entity_id: itemId,
      title: name,
      facts: { sku, quantity, reorder_point },
    })),
    ...filaments.map((crossing) => ({
      ...head(),
      kind: 'low_filament' as const,
      entity_id: null,
      title: `${crossing.material} ${crossing.color}`.trim(),
      facts: crossing,
    })),
    ...shortages.map((shortage) => ({
      ...head(),
      kind: 'filament_short' as const,
      entity_id: null,
      title: `${shortage.material} ${shortage.color}`.trim(),
      facts: shortage,
    })),
    ...finished.map(({ print_job_id: jobId, name, label_code, quantity, good_quantity }) => ({
      ...head(),
      kind: 'job_finished' as const,
      entity_id: jobId,
      title: name || label_code,
      facts: { label_code, quantity, good_quantity },
    })),
    ...printers.map(({ printer_id: printerId, name: title, label_code, reason }) => ({
      ...head(),
      kind: 'printer_error' as const,
      entity_id: printerId,
      title,
      facts: { label_code: label_code ?? '', reason },
    })),
    ...jobs.map(({ print_job_id: jobId, name, label_code, quantity, reason }) => ({
      ...head(),
      kind: 'job_failed' as const,
      entity_id: jobId,
      title: name || label_code,
      facts: { label_code, quantity, reason },
    })),
    ...publications.map(({ product_id: productId, name, reason }) => ({
      ...head(),
      kind: 'publication_failed' as const,
      entity_id: productId,
      title: name,
      facts: { reason },
    })),
    ...orders.map(({ kind, order_id: orderId, order_number: title, ...facts }) => ({
      ...head(),
      kind,
      entity_id: orderId,
      title,
      facts,
    })),
    ...shipped.map(({ order_id: orderId, order_number: title, ...facts }) => ({
      ...head(),
      kind: 'order_shipped' as const,
      entity_id: orderId,
      title,
      facts,
    })),
    ...(refused
      ? [
          {
            ...head(),
            kind: 'order_refused' as const,
            entity_id: null,
            title:
              refused.orders > 1
                ? `${refused.order_number} and ${refused.orders - 1} more`
                : refused.order_number,
            facts: { orders: refused.orders, reason: refused.reason },
          },
        ]
      : []),
    ...backups.map(({ run_id: runId, reason }) => ({
      ...head(),
      kind: 'backup_failed' as const,
      entity_id: runId,
      title: 'Backup',
      facts: { reason },
    })),
  ]
  const sources = [stock, finished, jobs, printers, publications, orders, shipped]
  const isMore = sources.some((taken) => taken.length >= TAKEN_AT_ONCE)
  return { news, isMore }
}

/** Returns an alert in the form in which channels receive it. */
const toChannelEvent = (alert: AlertRow, publicUrl: string): ChannelEvent => ({
  kind: alert.kind,
  at: alert.created_at,
  headline: ALERT_KIND_NAMES[alert.kind],
  title: alert.title,
  sentence: alertSentence(alert),
  url: new URL(alertAddress(alert), publicUrl).href,
  entity_id: alert.entity_id,
  facts: alert.facts,
})

/**
 * Returns, for each person and kind of alert, where the person receives it. The person's choices come first, then the
 * defaults of the role.
 */
async function findListeners(tx: Queryable): Promise<Listener[]> {
  const people = await listAccountsToAlert(tx)
  return people.flatMap(({ id, role, choices }) => {
    const wanted = completeChoices(role, choices)
    return alertKindsOf(role).map((kind) => ({ account_id: id, kind, ...wanted[kind] }))
  })
}

/**
 * Creates alerts for the events since the last run, and assigns them to the people, devices and channels that want
 * them. Only one process does this at a time. The transaction that claims an event also creates its alert, so
 * each event causes one alert.
 */
export async function dispatchAlerts({
  database,
  clock,
  publicUrl,
}: {
  database: Database
  clock: Clock
  publicUrl: string
}): Promise<void> {
  const dispatchSome = () =>
    database.transaction(async (tx) => {
      // Take the lock in a statement of its own. The next statement then sees everything that the previous holder of
      // the lock has committed.
      if (!(await tryTransactionLock(tx, ADVISORY_LOCKS.alerts))) return false
      const { news, isMore } = await claimAlerts(tx, clock.now())
      if (news.length === 0) return false
      await insertAlerts(tx, news)
      const listeners = await findListeners(tx)
      await insertDeliveries(
        tx,
        news,
        listeners.filter(({ in_app: inApp, by_mail: byMail }) => inApp || byMail),
      )
      const events = news.map((alert) => toChannelEvent(alert, publicUrl))
      await deliverToChannels(tx, events)
      await deliverToDevices(
        tx,
        events,
        listeners.filter(({ by_push: byPush }) => byPush),
      )
      await publishAll(
        tx,
        news.map(({ id }) => ({ type: 'created' as const, entity: 'alert' as const, id })),
      )
      return isMore
    })
  while (await dispatchSome());
}
