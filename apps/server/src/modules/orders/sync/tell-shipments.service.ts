import { type Clock, HOUR_MS, SECOND_MS, addMs } from '../../../platform/clock.ts'
import { ADVISORY_LOCKS, tryAdvisoryLock } from '../../../platform/database/advisory-lock.ts'
import type { Database } from '../../../platform/database/database.ts'
import { publish } from '../../events/index.ts'
import type { MainSite } from '../../products/index.ts'
import { type UntoldShipment, listUntoldShipments, writeTold } from './order-sync.queries.ts'

/** Parcels per run; the rest follows in the next one. */
const TOLD_AT_ONCE = 50
const FIRST_PAUSE_MS = 10 * SECOND_MS
const LONGEST_PAUSE_MS = HOUR_MS

/** The pause after that many failed attempts: twice as long each time, up to an hour. */
const pauseAfter = (attempts: number): number => Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempts)

/** Tells the shop of parcels that left, so that it can tell the customer. */
export interface ShipmentTelling {
  /** Tells what is due, unless another process does. A shop that is down is asked again later. */
  run(signal: AbortSignal): Promise<void>
}

export function createShipmentTelling(deps: {
  database: Database
  clock: Clock
  site: Pick<MainSite, 'orders'> | null
}): ShipmentTelling {
  const { database, clock, site } = deps

  const tell = async ({ order_id: orderId, tell_attempts: attempts, ...shipment }: UntoldShipment) => {
    if (!site) return
    const outcome = await site.orders.tellShipment(shipment)
    await database.transaction(async (tx) => {
      const now = clock.now()
      await writeTold(
        tx,
        shipment.id,
        outcome.ok ? { at: now } : { after: addMs(now, pauseAfter(attempts)), problem: outcome.message },
      )
      await publish(tx, { type: 'updated', entity: 'order', id: orderId })
    })
  }

  return {
    async run(signal) {
      if (!site) return
      const due = () => listUntoldShipments(database.sql, { now: clock.now(), limit: TOLD_AT_ONCE })
      // Nearly always nothing is due, and then nobody needs the lock.
      if ((await due()).length === 0) return
      await tryAdvisoryLock(database.sql, ADVISORY_LOCKS.shipments, async () => {
        for (const shipment of await due()) {
          if (signal.aborted) return
          await tell(shipment)
        }
      })
    },
  }
}
