-- in steps
-- Owned by module orders: completes orders on hold if the staff of their shop had sent all their pieces.

-- repeat
update orders set status = 'completed', revision = revision + 1
where id in (
  select o.id from orders o
  where o.status = 'on_hold' and o.deleted_at is null
    and exists (select from order_lines l where l.order_id = o.id and l.shipped_quantity > 0)
    and not exists (
      select from order_lines l
      where l.order_id = o.id and l.shipped_quantity < l.quantity and l.ignored_at is null and not l.is_set
    )
  order by o.id limit 1000
)
returning id;
