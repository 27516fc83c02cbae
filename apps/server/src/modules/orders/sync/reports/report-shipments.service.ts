import { UNDO_SHIPMENT_MS } from '@pegasus/contracts/orders/order-changes'
import { type Clock, HOUR_MS, SECOND_MS, addMs } from '../../../../platform/clock.ts'
import { ADVISORY_LOCKS, tryAdvisoryLock } from '../../../../platform/database/advisory-lock.ts'
import type { Database } from '../../../../platform/database/database.ts'
import { publish } from '../../../events/index.ts'
import type { MainSite } from '../../../products/index.ts'
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
import { dropUntoldIgnored, saveToldIgnored } from './ignored-pieces.queries.ts'
import { findStoredLines } from './stored-lines.queries.ts'

/** Maximum number of parcels in one run. The others follow in the next run. */
const REPORTED_AT_ONCE = 50
const FIRST_PAUSE_MS = 10 * SECOND_MS
const LONGEST_PAUSE_MS = HOUR_MS

/** Time for which a shipment is held back. A click on Undo in the last moment still takes a while to arrive. */
const HELD_BACK_MS = UNDO_SHIPMENT_MS + 2 * SECOND_MS

/** Returns the pause before the next attempt. It doubles with each failed attempt, up to an hour. */
const pauseAfter = (attempts: number): number => Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempts)

/** Reports shipped parcels to the shop, so that it can notify the customer. */
export interface ShipmentReports {
  /**
   * Reports the parcels that are due, and the orders that were completed without a parcel that completes them. A
   * shipment is due when its Undo is no longer offered. Does nothing if another process is reporting. Failed reports
   * are repeated later.
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
   * Saves that a report is about to complete an order in the shop. Returns the ignored pieces that it may send there.
   */
  const beginCompletion = async (orders: MainSite['orders'], orderId: string) => {
    await markCompletedByReport(database.sql, orderId)
    return orders.sendsIgnoredPieces ? saveToldIgnored(database.sql, orderId, clock.now()) : []
  }

  const report = async (
    { orders }: Pick<MainSite, 'orders'>,
    { order_id: orderId, tell_attempts: attempts, ...shipment }: UnreportedShipment,
  ) => {
    if (!(await beginReport(database.sql, shipment))) return true
    const ignored = shipment.is_last ? await beginCompletion(orders, orderId) : []
    const stored = await findStoredLines(database.sql, orderId)
    const outcome = await orders.reportShipment({ ...shipment, ...stored })
    await database.transaction(async (tx) => {
      if (outcome.added) await dropUntoldIgnored(tx, ignored, outcome.added)
      const now = clock.now()
      await saveReportResult(
        tx,
        shipment,
        outcome.ok
          ? {
              at: now,
              isNew: outcome.wasKnown === false,
              // The response of an earlier attempt may have been lost, so that attempt may have added the pieces.
              addedNothing: outcome.wasKnown === true && attempts === 0,
            }
          : {
              after: addMs(now, pauseAfter(attempts)),
              problem: outcome.message,
              isPartlyAdded: outcome.isPartlyAdded === true,
            },
      )
      await publish(tx, { type: 'updated', entity: 'order', id: orderId })
    })
    return outcome.ok
  }

  const reportCompletion = async (
    { orders }: Pick<MainSite, 'orders'>,
    { order_id: orderId, attempts, ...completion }: UnreportedCompletion,
  ) => {
    const ignored = await beginCompletion(orders, orderId)
    const stored = await findStoredLines(database.sql, orderId)
    const outcome = await orders.reportCompletion({ ...completion, ...stored })
    await database.transaction(async (tx) => {
      if (outcome.added) await dropUntoldIgnored(tx, ignored, outcome.added)
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
      // Usually nothing is due, and in that case the lock is not needed.
      if ((await due()).length === 0 && (await dueCompletions()).length === 0) return
      await tryAdvisoryLock(database.sql, ADVISORY_LOCKS.shipments, async () => {
        const waiting = new Set<string>()
        for (const { id, order_id: orderId } of await due()) {
          if (signal.aborted) return
          if (waiting.has(orderId)) continue
          // While earlier parcels were being reported, somebody may have corrected this parcel or taken it back.
          const [shipment] = await due(id)
          if (shipment && !(await report(site, shipment))) waiting.add(orderId)
        }
        for (const { order_id: orderId } of await dueCompletions()) {
          if (signal.aborted) return
          // While the others were being reported, somebody may have opened this order again.
          const [completion] = await dueCompletions(orderId)
          if (completion) await reportCompletion(site, completion)
        }
      })
    },
  }
}
