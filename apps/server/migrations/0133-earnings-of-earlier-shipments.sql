-- in steps
-- Owned by module orders: the figures of shipments and returns before the update, by the rule of the report until then.

-- repeat
update shipment_lines p
set revenue_minor = k.revenue_minor, discount_minor = k.discount_minor, fee_minor = k.fee_minor
from earnings_to_keep(array(
  select distinct order_id from (
    select s.order_id from shipments s join shipment_lines l on l.shipment_id = s.id
    where s.undone_at is null and l.revenue_minor is null order by s.order_id limit 1000
  ) orders_of_batch
)) k
where p.shipment_id = k.shipment_id and p.order_line_id = k.order_line_id and p.revenue_minor is null
returning p.shipment_id;

-- repeat
update order_returns r set revenue_minor = k.revenue_minor
from returns_to_keep(array(
  select order_line_id from order_returns where revenue_minor is null limit 1000
)) k
where r.id = k.id and r.revenue_minor is null
returning r.id;
