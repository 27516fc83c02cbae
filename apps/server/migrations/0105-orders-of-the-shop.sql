-- Owned by module orders: refused orders of the shop. A row stays until the order is received or a person dismisses it.
create table refused_orders (
  order_number text primary key,
  detail text not null,
  refused_at timestamptz not null
);

-- The public view of orders that the shop has on hold, for example until they are paid. The shop has reserved their
-- pieces and must not sell them again.
create view held_items as
select l.item_id, sum(greatest(0, l.quantity - l.shipped_quantity - l.reserved_quantity))::bigint as quantity
from orders o join order_lines l on l.order_id = o.id
where o.status = 'on_hold' and o.deleted_at is null and o.source = 'main_site' and o.source_told ->> 'status' = 'on_hold'
  and l.item_id is not null and l.ignored_at is null and not l.is_set
group by l.item_id;
