import { claimRows } from '../../platform/database/claim-rows.ts'
import type { Queryable } from '../../platform/database/database.ts'

/** A parcel that was sent. */
export interface ShippedOrder {
  order_id: string
  order_number: string
  customer_name: string
  /** Number of pieces in this parcel. */
  pieces: number
  carrier: string | null
  tracking_number: string | null
}

/**
 * Claims sent parcels for alerts, oldest first. Parcels that have been undone in the meantime are left out.
 */
export const claimShippedOrders = (tx: Queryable, limit: number): Promise<ShippedOrder[]> =>
  tx<ShippedOrder[]>`
    with taken as (${claimRows(tx, 'shipped_orders', limit)})
    select t.order_id, o.order_number, o.customer_name, s.carrier, s.tracking_number,
           coalesce((select sum(l.quantity) from shipment_lines l where l.shipment_id = s.id), 0)::float8 as pieces
    from taken t
    join shipments s on s.id = t.shipment_id and s.undone_at is null
    join orders o on o.id = t.order_id and o.deleted_at is null
    order by t.id`
