-- Until migration 0038, a release without an order also freed pieces that were reserved for orders. The movements then
-- still counted these pieces as reserved. This migration adds movements that free them from the order that reserved
-- first. Each pair of rows leaves the item's quantities unchanged, so the trigger is not needed.
alter table movements disable trigger movements_apply;

do $$
declare
  item record;
  held record;
  missing integer;
  taken integer;
begin
  for item in
    select i.id, i.quantity, i.reserved_quantity, -sum(m.reserved_delta)::integer as missing,
           greatest(now(), (select max(created_at) from movements where item_id = i.id)) as told_at
    from movements m join items i on i.id = m.item_id
    where m.reserved_delta <> 0 and m.order_id is null
    group by i.id having sum(m.reserved_delta) < 0
  loop
    missing := item.missing;
    for held in
      select order_id, sum(reserved_delta)::integer as pieces from movements
      where item_id = item.id and order_id is not null and reserved_delta <> 0
      group by order_id having sum(reserved_delta) > 0
      order by min(created_at)
    loop
      taken := least(missing, held.pieces);
      insert into movements (id, item_id, kind, delta, reserved_delta, quantity_after, reserved_after, reason, order_id,
                             actor_kind, actor_name, created_at)
      values
        (gen_random_uuid(), item.id, 'reserve', 0, taken, item.quantity, item.reserved_quantity + taken,
         'Was released without naming its order', null, 'system', 'Pegasus Ops', item.told_at + interval '1 microsecond'),
        (gen_random_uuid(), item.id, 'release', 0, -taken, item.quantity, item.reserved_quantity,
         'Was released without naming its order', held.order_id, 'system', 'Pegasus Ops',
         item.told_at + interval '2 microseconds');
      item.told_at := item.told_at + interval '2 microseconds';
      missing := missing - taken;
      exit when missing = 0;
    end loop;
  end loop;
end $$;

alter table movements enable trigger movements_apply;
