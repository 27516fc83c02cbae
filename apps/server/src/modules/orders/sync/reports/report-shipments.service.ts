import { UNDO_SHIPMENT_MS } from '@pegasus/contracts/orders/order-changes'
import { type Clock, HOUR_MS, SECOND_MS, addMs } from '../../../../platform/clock.ts'
import { ADVISORY_LOCKS, tryAdvisoryLock } from '../../../../platform/database/advisory-lock.ts'
import type { Database } from '../../../../platform/database/database.ts'
import { publish } from '../../../events/index.ts'
import type { MainSite, SiteFailure } from '../../../products/index.ts'
import { markCompletedByReport } from '../../intake/order-intake.queries.ts'
import {
  type UnreportedShipment,
  beginReport,
  listUnreportedShipments,
  saveReportResult,
} from '../order-sync.queries.ts'
import {
  type UnreportedCompletion,
  listUnreportedCompletions,
  saveCompletionResult,
} from './completions.queries.ts'
import {
  type ParcelInShop,
  type ParcelToCancel,
  delayCancel,
  isShownAsSent,
  listParcelsToCancel,
  readPiecesOfParcel,
  saveCancelResult,
  saveParcelIds,
} from './cancelled-parcels.queries.ts'
import {
  type ChangedParcel,
  beginTracking,
  listChangedParcels,
  saveTrackingResult,
} from './changed-tracking.queries.ts'
import { dropUnreportedIgnored, readReportedIgnored, saveReportedIgnored } from './ignored-pieces.queries.ts'
import { findStoredLines } from './stored-lines.queries.ts'

/** Maximum number of parcels in one run. The others follow in the next run. */
const REPORTED_AT_ONCE = 50
const FIRST_PAUSE_MS = 10 * SECOND_MS
const LONGEST_PAUSE_MS = HOUR_MS
/** Pause before the next look at an undone shipment whose pieces the shop has not shown as sent yet. */
const SHOWN_PAUSE_MS = 30 * SECOND_MS

/**
 * Time for which a shipment is held back before its report. A click on Undo at the last moment takes a while to arrive.
 */
const HELD_BACK_MS = UNDO_SHIPMENT_MS + 2 * SECOND_MS

/** Returns the pause before the next attempt. It doubles with each failed attempt, up to an hour. */
const pauseAfter = (attempts: number): number => Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempts)

/** Reports shipped parcels to the shop, so that it can notify the customer. */
export interface ShipmentReports {
  /**
   * Reports the parcels that are due, and completed orders whose parcels do not complete them in the shop. A parcel is
   * due when the app no longer offers Undo for its shipment. Also sends tracking that was changed after the report, and
   * cancels the parcels of undone shipments, if the shop supports that. Repeats failed reports later. Does nothing if
   * another process is reporting.
   */
  run(signal: AbortSignal): Promise<void>
}

export function createShipmentReports(deps: {
  database: Database
  clock: Clock
  site: Pick<MainSite, 'kind' | 'orders'> | null
}): ShipmentReports {
  const { database, clock, site } = deps

  /**
   * Saves that a report begins that completes an order in the shop. Returns the pieces of ignored lines that it may
   * mark as sent there.
   */
  const beginCompletion = async (orders: MainSite['orders'], orderId: string) => {
    await markCompletedByReport(database.sql, orderId)
    return orders.sendsIgnoredPieces ? saveReportedIgnored(database.sql, orderId, clock.now()) : []
  }

  const report = async (
    { orders }: Pick<MainSite, 'orders'>,
    { order_id: orderId, tell_attempts: attempts, ...shipment }: UnreportedShipment,
  ) => {
    const begun = await beginReport(database.sql, shipment)
    if (!begun) return true
    const ignored = shipment.is_last ? await beginCompletion(orders, orderId) : []
    const stored = await findStoredLines(database.sql, orderId)
    const outcome = await orders.reportShipment({ ...shipment, ...stored })
    await database.transaction(async (tx) => {
      if (outcome.added) await dropUnreportedIgnored(tx, ignored, outcome.added)
      const now = clock.now()
      await saveReportResult(
        tx,
        shipment,
        outcome.ok
          ? {
              at: now,
              isNew: outcome.wasKnown === false,
              // If an earlier attempt was made, its response may have been lost, so it may have added the pieces.
              addedNothing: outcome.wasKnown === true && begun.isFirst && attempts === 0,
            }
          : {
              after: addMs(now, pauseAfter(attempts)),
              problem: outcome.message,
              isPartlyAdded: outcome.isPartlyAdded === true,
            },
        outcome.parcels,
      )
      await publish(tx, { type: 'updated', entity: 'order', id: orderId })
    })
    return outcome.ok
  }

  /**
   * Returns the shop's ids of the parcels of a shipment. If the response to its report may have been lost, asks the
   * shop for further parcels, and saves their ids. `failure` is the reason if the shop could not be asked.
   */
  const findParcelIds = async (
    find: MainSite['orders']['findParcels'],
    shipment: ParcelInShop,
  ): Promise<{ ids: string[]; failure?: SiteFailure }> => {
    const {
      id,
      order_id: orderId,
      shop_parcel_ids: ownIds,
      external_id,
      unconfirmed_number: number,
    } = shipment
    if (!find || number === null || external_id === null) return { ids: ownIds }
    const { line_skus } = await findStoredLines(database.sql, orderId)
    const pieces = await readPiecesOfParcel(database.sql, shipment)
    const ignored = await readReportedIgnored(database.sql, orderId)
    const parcel = { external_id, line_skus, tracking_number: number, pieces, ignored, own_ids: ownIds }
    const found = await find({ ...parcel, other_ids: shipment.other_parcel_ids })
    if (!found.ok) return { ids: ownIds, failure: found }
    if (found.ids.length === 0) return { ids: ownIds }
    const all = [...ownIds, ...found.ids]
    await saveParcelIds(database.sql, id, all)
    return { ids: all }
  }

  /** Sends the changed tracking of a reported parcel to the shop. */
  const sendTracking = async (
    { changeTracking, findParcels }: MainSite['orders'],
    { id, order_id: orderId, number, external_id, tracking_attempts: attempts, ...shipment }: ChangedParcel,
  ) => {
    const { ids, failure } = await findParcelIds(findParcels, {
      id,
      order_id: orderId,
      external_id,
      ...shipment,
    })
    const tracking = await beginTracking(database.sql, id)
    if (!changeTracking || !tracking) return
    const outcome = failure ?? (await changeTracking({ number, external_id, parcel_ids: ids, ...tracking }))
    await database.transaction(async (tx) => {
      const failed = {
        after: addMs(clock.now(), pauseAfter(attempts)),
        problem: outcome.ok ? '' : outcome.message,
      }
      const isImpossible = 'isImpossible' in outcome && outcome.isImpossible
      await saveTrackingResult(
        tx,
        id,
        tracking,
        outcome.ok ? { ok: true } : isImpossible ? { isImpossible } : failed,
      )
      await publish(tx, { type: 'updated', entity: 'order', id: orderId })
    })
  }

  /**
   * Cancels the parcels of an undone shipment in the shop. The next comparison sees that their pieces are no longer
   * sent.
   */
  const cancelParcels = async (
    { cancelParcels: cancel, findParcels }: MainSite['orders'],
    shipment: ParcelToCancel,
  ) => {
    const { id, order_id: orderId, cancel_attempts: attempts } = shipment
    const { ids: parcels } = await findParcelIds(findParcels, shipment)
    const outcome = cancel && parcels.length > 0 ? await cancel(parcels) : null
    const now = clock.now()
    await database.transaction(async (tx) => {
      await saveCancelResult(
        tx,
        id,
        outcome?.ok ? { at: outcome.cancelledAt ?? now } : { after: addMs(now, pauseAfter(attempts)) },
      )
      await publish(tx, { type: 'updated', entity: 'order', id: orderId })
    })
  }

  const reportCompletion = async (
    { orders }: Pick<MainSite, 'orders'>,
    { order_id: orderId, attempts, ...completion }: UnreportedCompletion,
  ) => {
    const ignored = await beginCompletion(orders, orderId)
    const stored = await findStoredLines(database.sql, orderId)
    const outcome = await orders.reportCompletion({ ...completion, ...stored })
    await database.transaction(async (tx) => {
      if (outcome.added) await dropUnreportedIgnored(tx, ignored, outcome.added)
      const now = clock.now()
      const failure = { after: addMs(now, pauseAfter(attempts)), problem: outcome.ok ? '' : outcome.message }
      await saveCompletionResult(tx, orderId, outcome.ok ? { at: now } : failure)
      await publish(tx, { type: 'updated', entity: 'order', id: orderId })
    })
  }

  return {
    async run(signal) {
      if (!site) return
      const { kind } = site
      const due = (id: string | null = null) => {
        const now = clock.now()
        const shippedBefore = addMs(now, -HELD_BACK_MS)
        return listUnreportedShipments(database.sql, {
          now,
          shippedBefore,
          limit: REPORTED_AT_ONCE,
          kind,
          id,
        })
      }
      const dueCompletions = (orderId: string | null = null) => {
        const page = { now: clock.now(), limit: REPORTED_AT_ONCE }
        return listUnreportedCompletions(database.sql, { ...page, kind, orderId })
      }
      const dueCancellations = (id: string | null = null) =>
        site.orders.cancelParcels
          ? listParcelsToCancel(database.sql, { now: clock.now(), limit: REPORTED_AT_ONCE, kind, id })
          : Promise.resolve([])
      const dueTrackings = (id: string | null = null) => {
        const now = clock.now()
        const page = { now, changedBefore: addMs(now, -HELD_BACK_MS), limit: REPORTED_AT_ONCE, kind, id }
        return site.orders.changeTracking ? listChangedParcels(database.sql, page) : Promise.resolve([])
      }
      // Usually nothing is due, and then the lock is not needed.
      const lists = [due, dueCompletions, dueCancellations, dueTrackings]
      if ((await Promise.all(lists.map(async (list) => (await list()).length))).every((count) => count === 0))
        return
      await tryAdvisoryLock(database.sql, ADVISORY_LOCKS.shipments, async () => {
        // Cancellations come before reports: after a report of the same pieces, the shop would count the undone pieces
        // as those of the new parcel.
        for (const { id } of await dueCancellations()) {
          if (signal.aborted) return
          const [shipment] = await dueCancellations(id)
          if (!shipment) continue
          if (await isShownAsSent(database.sql, shipment)) await cancelParcels(site.orders, shipment)
          else await delayCancel(database.sql, id, addMs(clock.now(), SHOWN_PAUSE_MS))
        }
        const waiting = new Set<string>()
        for (const { id, order_id: orderId } of await due()) {
          if (signal.aborted) return
          if (waiting.has(orderId)) continue
          // Somebody may have corrected or undone this shipment while earlier ones were being reported.
          const [shipment] = await due(id)
          if (shipment && !(await report(site, shipment))) waiting.add(orderId)
        }
        for (const { id } of await dueTrackings()) {
          if (signal.aborted) return
          // Somebody may have undone this shipment while other changes were being sent.
          const [parcel] = await dueTrackings(id)
          if (parcel) await sendTracking(site.orders, parcel)
        }
        for (const { order_id: orderId } of await dueCompletions()) {
          if (signal.aborted) return
          // Somebody may have opened this order again while others were being reported.
          const [completion] = await dueCompletions(orderId)
          if (completion) await reportCompletion(site, completion)
        }
      })
    },
  }
}
