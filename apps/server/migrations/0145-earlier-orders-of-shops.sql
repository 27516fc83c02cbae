-- in steps
-- Owned by module orders: a completed order that a shop placed before its first comparison, and that arrived as
-- completed, was shipped before Pegasus Ops managed the stock. Earlier versions did not mark such orders, so their
-- pieces were shown as not shipped.

-- repeat
update orders set is_history = true
where id in (
  select o.id from orders o
  where not o.is_history and o.source = 'main_site' and o.status = 'completed' and o.source_told->>'status' = 'completed'
    and exists (
      select from shop_first_comparisons f where o.placed_at <= f.begun_at and o.created_at >= f.begun_at
    )
    and not exists (select from shipments s where s.order_id = o.id)
    and not exists (
      select from order_lines l where l.order_id = o.id and l.shipped_quantity + l.reserved_quantity > 0
    )
    and not exists (
      select from audit_entries e
      where e.entity = 'order' and e.entity_id = o.id::text and e.action <> 'order.created'
        and e.after->>'status' = 'completed' and e.before->>'status' is distinct from 'completed'
    )
  order by o.id limit 1000
)
returning id;

-- True if a new order that arrived as completed has taken its pieces from the stock. Servers of earlier versions do not
-- write the column, so the default marks their orders, and a server of this version processes them.
alter table orders
  add column is_settled boolean not null default true,
  alter column is_settled set default false;

create index concurrently orders_not_settled on orders (id) where not is_settled;
