import type { Row } from '../../../platform/database/column-types.ts'
import type { Queryable } from '../../../platform/database/database.ts'

/**
 * Returns, by SKU in capitals, how many more pieces the shop counts as sent than are shipped here. The number is
 * negative if the shop has taken back pieces that are still shipped here.
 *
 * Pieces of a shipment that was undone here stay counted in the shop, until they are shipped again or the shop takes
 * them back as well. Only a shipment that was made after the first undo can ship them again. An undone shipment whose
 * report added nothing in the shop is left out. Pieces of ignored lines that the shop counts because of one of our
 * reports are treated like pieces of an undone shipment.
 */
export async function readPiecesTakenBack(tx: Queryable, orderId: string): Promise<Map<string, number>> {
  const rows = await tx<{ sku: string; pieces: number }[]>`
    with held as (
      select s.id, s.created_at, s.undone_at, s.undone_at is not null as is_undone, upper(coalesce(whole.sku, l.sku)) as sku,
             coalesce(whole.id, l.id) as line_id, coalesce(l.pieces_per_set, 1) as pieces_per_set, p.quantity, p.withdrawn_quantity
      from shipments s join shipment_lines p on p.shipment_id = s.id join order_lines l on l.id = p.order_line_id
      left join order_lines whole on whole.id = l.set_line_id
      where s.order_id = ${orderId} and (
        s.undone_at is null
        or s.made_at_shop or (not s.added_nothing_in_shop and (s.told_at is not null or s.told_tracking is not null or s.tell_attempts > 0))
      ) and not (s.made_at_shop and s.undone_at is null and p.withdrawn_quantity = 0)
    ), ignored as (
      select upper(sku) as sku, told_ignored_quantity as pieces, told_ignored_at from order_lines
      where order_id = ${orderId} and told_ignored_quantity > 0
    ), pieces as (
      select sku, is_undone, max(ceil((quantity - withdrawn_quantity)::numeric / pieces_per_set))::int as counted,
             max(case when is_undone then 0 else ceil(withdrawn_quantity::numeric / pieces_per_set) end)::int as withdrawn,
             bool_or(is_undone or created_at > (
               select min(at) from (
                 select undone_at from held where quantity > withdrawn_quantity union all select told_ignored_at from ignored
               ) begun (at)
             )) as is_later
      from held group by id, is_undone, sku, line_id
      union all select sku, true, pieces, 0, true from ignored
    )
    select sku, (greatest(0, sum(case when is_undone then counted when is_later then -counted else 0 end)) - sum(withdrawn))::int as pieces
    from pieces group by sku`
  return new Map(rows.map(({ sku, pieces }) => [sku, pieces]))
}

/** Lists the pieces that the shop has sent although they were not in stock here. */
export const listSentWithoutStock = (
  tx: Queryable,
  orderId: string,
): Promise<Row<'order_lines', 'sku' | 'name' | 'quantity'>[]> =>
  tx<Row<'order_lines', 'sku' | 'name' | 'quantity'>[]>`
    select l.sku, l.name, sum(p.quantity)::float8 as quantity
    from shipments s join shipment_lines p on p.shipment_id = s.id join order_lines l on l.id = p.order_line_id
    where s.order_id = ${orderId} and s.made_at_shop and s.undone_at is null and p.movement_id is null and l.ignored_at is null
    group by l.id order by l.position, l.part_number`
