import type { Queryable } from '../../../platform/database/database.ts'

/** A line of a shipment whose pieces the shop may count as sent, or did count until it cancelled its own shipment. */
export interface CountedLine {
  shipment_id: string
  order_line_id: string
  /** The ordered line: for a part of a set, the set; otherwise the line itself. */
  ordered_line_id: string
  /** The ordered SKU in capitals. */
  sku: string
  name: string
  pieces_per_set: number
  quantity: number
  withdrawn_quantity: number
  is_undone: boolean
  made_at_shop: boolean
  /**
   * Whether the shop was told of the shipment. It may also count a shipment that it was not told of, for example one
   * that an earlier version made.
   */
  is_told: boolean
  /** When the shop cancelled the parcels of the undone shipment on our request. Null if it did not. */
  cancelled_at: string | null
}

/**
 * Lists the lines of the shipments of an order, newest shipment first. A shipment that was undone here is included if
 * the shop made it or may have been told of it, unless the report added nothing there.
 */
export const listCountedLines = (tx: Queryable, orderId: string): Promise<CountedLine[]> =>
  tx<CountedLine[]>`
    select p.shipment_id, p.order_line_id, coalesce(whole.id, l.id) as ordered_line_id,
           upper(coalesce(whole.sku, l.sku)) as sku, coalesce(whole.name, l.name) as name,
           coalesce(l.pieces_per_set, 1) as pieces_per_set, p.quantity, p.withdrawn_quantity,
           s.undone_at is not null as is_undone, s.made_at_shop, s.told_at is not null as is_told,
           s.cancelled_in_shop_at as cancelled_at
    from shipments s join shipment_lines p on p.shipment_id = s.id join order_lines l on l.id = p.order_line_id
    left join order_lines whole on whole.id = l.set_line_id
    where s.order_id = ${orderId}
      and (s.undone_at is null or s.made_at_shop or (
        not s.added_nothing_in_shop and (s.told_at is not null or s.told_tracking is not null or s.tell_attempts > 0)
      ))
    order by s.number desc, l.position, l.part_number`

/** Saves how many pieces of each line the shop no longer counts as sent. */
export async function saveWithdrawn(
  tx: Queryable,
  lines: readonly Pick<CountedLine, 'shipment_id' | 'order_line_id' | 'withdrawn_quantity'>[],
): Promise<void> {
  if (lines.length === 0) return
  await tx`
    update shipment_lines p set withdrawn_quantity = withdrawn.quantity
    from unnest(${lines.map((line) => line.shipment_id)}::uuid[], ${lines.map((line) => line.order_line_id)}::uuid[],
                ${lines.map((line) => line.withdrawn_quantity)}::int[]) as withdrawn (shipment_id, order_line_id, quantity)
    where p.shipment_id = withdrawn.shipment_id and p.order_line_id = withdrawn.order_line_id`
}
