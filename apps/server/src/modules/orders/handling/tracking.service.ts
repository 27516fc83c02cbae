import { CARRIERS_LISTED, type TrackingBody } from '@pegasus/contracts/orders/order-changes'
import type { AuditContext } from '../../../platform/actor.ts'
import type { Database } from '../../../platform/database/database.ts'
import { AppError, orThrow } from '../../../platform/errors/app-error.ts'
import { writeAudit } from '../../audit/index.ts'
import { publish } from '../../events/index.ts'
import { lockOrder, updateOrder } from '../intake/order-intake.queries.ts'
import { amountText } from '../intake/line-changes.ts'
import { readPostage } from '../intake/received-order.ts'
import type { PresentOrder } from '../orders.present.ts'
import { type OrderRow, findOrder } from '../orders.queries.ts'
import {
  type Tracking,
  listLatestCarriers,
  lockParcel,
  savePostage,
  saveTracking,
} from './shipments.queries.ts'

export interface ShipmentTracking {
  /**
   * Adds or corrects the tracking and the postage of a shipment. Fields that are not given stay unchanged. `revision`
   * is the revision of the order that the caller has seen; null accepts any revision. Throws ORDER_NOT_FOUND,
   * PRECONDITION_FAILED, or ORDER_INVALID if the order has no such shipment, or if the postage has too many decimals.
   */
  change(
    shipment: { orderId: string; shipmentId: string },
    body: TrackingBody,
    revision: number | null,
    by: AuditContext,
  ): Promise<OrderRow>
  /** Returns the carriers of the latest shipments, last used first. */
  latestCarriers(): Promise<string[]>
}

/** Returns the error for a shipment that the order does not have, or that was already undone. */
export function noSuchShipment(): AppError {
  const message = 'This order has no such shipment, or the shipment has already been undone.'
  return new AppError('ORDER_INVALID', { text: message, errors: [{ path: 'shipment_id', message }] })
}

const FIELDS = ['carrier', 'tracking_number', 'tracking_url'] as const

/** Returns a text about a changed value for the history of an order. Null is a missing value. */
function changeText(what: string, before: string | null, after: string | null): string {
  if (before === null) return `${what}: ${after} was entered.`
  return after === null ? `${what}: ${before} was removed.` : `${what}: ${before} was changed to ${after}.`
}

const postageText = (minor: number | null, currency: string): string | null =>
  minor === null ? null : amountText(minor, currency)

const trackingText = ({ carrier, tracking_number: number, tracking_url: url }: Tracking): string | null =>
  [carrier, number, url].filter(Boolean).join(' ') || null

export function createShipmentTracking({
  database,
  present,
}: {
  database: Database
  present: PresentOrder
}): ShipmentTracking {
  return {
    change: ({ orderId, shipmentId }, body, revision, by) =>
      database.transaction(async (tx) => {
        const readOrder = async () => orThrow(await findOrder(tx, orderId), 'ORDER_NOT_FOUND')
        const known = orThrow(await lockOrder(tx, orderId), 'ORDER_NOT_FOUND')
        const { order_number: orderNumber, currency } = known
        if (revision !== null && revision !== known.revision)
          throw new AppError('PRECONDITION_FAILED', { body: { current: present(await readOrder()) } })
        const shipment = await lockParcel(tx, { id: shipmentId, orderId })
        if (!shipment) throw noSuchShipment()
        const { number, postage_minor: oldPostage, ...before } = shipment
        const postage = readPostage(body.postage_amount, currency)
        const entry = { entity: 'order', entityId: orderId, entityName: orderNumber } as const
        const after: Tracking = { ...before }
        for (const name of FIELDS) if (body[name] !== undefined) after[name] = body[name]
        const isTracked = FIELDS.some((name) => after[name] !== before[name])
        const isPaid = postage !== undefined && postage !== oldPostage
        if (!isTracked && !isPaid) return readOrder()
        if (isTracked) {
          await saveTracking(tx, { id: shipmentId, now: by.now, ...after })
          const reason = changeText(
            `Tracking of shipment ${number}`,
            trackingText(before),
            trackingText(after),
          )
          await writeAudit(
            tx,
            { action: 'order.tracking_changed', ...entry, before, after: { ...after, reason } },
            by,
          )
        }
        if (isPaid) {
          await savePostage(tx, shipmentId, postage)
          const texts = [postageText(oldPostage, currency), postageText(postage, currency)] as const
          const reason = changeText(`Postage of shipment ${number}`, ...texts)
          const sides = { before: { postage_minor: oldPostage }, after: { postage_minor: postage, reason } }
          await writeAudit(tx, { action: 'order.postage_changed', ...entry, ...sides }, by)
        }
        // The new revision makes the database share the postage among the lines of the shipment.
        await updateOrder(tx, orderId, {}, by.now)
        await publish(tx, { type: 'updated', entity: 'order', id: orderId })
        return readOrder()
      }),

    latestCarriers: () => listLatestCarriers(database.sql, CARRIERS_LISTED),
  }
}
