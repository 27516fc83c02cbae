import type { Row } from '../../../platform/database/column-types.ts'
import type { Queryable } from '../../../platform/database/database.ts'

/**
 * Returns, for each SKU in capitals, the pieces that the shop counts as sent although their shipment was taken back here
 * and they were not shipped again. A parcel that left before the first undo does not ship them again.
 */
export async function readPiecesTakenBack(tx: Queryable, orderId: string): Promise<Map<string, number>> {
  const rows = await tx<{ sku: string; pieces: number }[]>`
    with known as (
      select id, created_at, undone_at, undone_at is not null as is_undone from shipments
      where order_id = ${orderId} and (
        (undone_at is null and not made_at_shop)
        or (undone_at is not null and (made_at_shop or told_at is not null or told_tracking is not null or tell_attempts > 0))
      )
    ), pieces as (
      select upper(coalesce(whole.sku, l.sku)) as sku, coalesce(whole.id, l.id) as line_id, k.is_undone,
             max(ceil(p.quantity::numeric / coalesce(l.pieces_per_set, 1)))::int as quantity
      from known k join shipment_lines p on p.shipment_id = k.id join order_lines l on l.id = p.order_line_id
      left join order_lines whole on whole.id = l.set_line_id
      where k.is_undone or k.created_at > (select min(undone_at) from known)
      group by k.id, k.is_undone, 1, 2
    )
    select sku, greatest(0, sum(case when is_undone then quantity else -quantity end))::int as pieces
    from pieces group by sku`
  return new Map(rows.map(({ sku, pieces }) => [sku, pieces]))
}

/** Lists the pieces that the shop has sent although they were not in stock here. */
export const listSentWithoutStock = (
  tx: Queryable,
  orderId: string,
): Promise<Row<'order_lines', 'sku' | 'name' | 'quantity'>[]> =>
  tx<Row<'order_lines', 'sku' | 'name' | 'quantity'>[]>`
    select l.sku, l.name, sum(p.quantity)::int as quantity
    from shipments s join shipment_lines p on p.shipment_id = s.id join order_lines l on l.id = p.order_line_id
    where s.order_id = ${orderId} and s.made_at_shop and s.undone_at is null and p.movement_id is null and l.ignored_at is null
    group by l.id order by l.position, l.part_number`
