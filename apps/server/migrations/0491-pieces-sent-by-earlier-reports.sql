-- in steps
-- Owned by module orders: fills in `told_ignored_quantity` for orders that were completed in Pegasus Ops and are still
-- completed. It contains the pieces that an earlier version reported as sent although they had not been shipped. Pieces
-- that the shop's staff sent while the order was open were recorded as shipments. The shop names pieces by SKU, so
-- earlier lines of the same SKU come first.

-- repeat
update order_lines l
set told_ignored_quantity = told.quantity, told_ignored_at = told.at
from (
  select l.id, least(l.quantity, sent.quantity - earlier.quantity) - l.shipped_quantity as quantity, o.updated_at as at
  from order_lines l join orders o on o.id = l.order_id
  cross join lateral (
    select coalesce(sum((piece->>'quantity')::numeric), 0)::int as quantity
    from jsonb_array_elements(case when jsonb_typeof(o.source_told->'sent_pieces') = 'array' then o.source_told->'sent_pieces' else '[]' end) piece
    where upper(piece->>'sku') = upper(l.sku)
  ) sent
  cross join lateral (
    select coalesce(sum(e.quantity), 0)::int as quantity from order_lines e
    where e.order_id = l.order_id and e.part_number = 0 and e.ignored_at is not null and upper(e.sku) = upper(l.sku)
      and e.position < l.position
  ) earlier
  where l.ignored_at is not null and l.part_number = 0 and l.told_ignored_quantity = 0 and o.status = 'completed'
    and o.source = 'main_site' and (o.source_told->>'completed_by_report')::boolean
    and least(l.quantity, sent.quantity - earlier.quantity) > l.shipped_quantity
  order by l.id limit 1000
) told
where l.id = told.id
returning l.id;
