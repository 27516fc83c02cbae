-- Owned by module orders: orders of the shop that were refused and are not here, until they are received or a person has
-- dismissed them.
create table refused_orders (
  order_number text primary key,
  detail text not null,
  refused_at timestamptz not null
);

-- The published face of orders that the shop itself has on hold, for example until they are paid: pieces that the shop has put
-- aside and must not sell again.
create view held_items as
select l.item_id, sum(greatest(0, l.quantity - l.shipped_quantity - l.reserved_quantity))::bigint as quantity
from orders o join order_lines l on l.order_id = o.id
where o.status = 'on_hold' and o.deleted_at is null and o.source = 'main_site' and o.source_told ->> 'status' = 'on_hold'
  and l.item_id is not null and l.ignored_at is null and not l.is_set
group by l.item_id;
