-- Owned by module inventory: many movements of an item in one statement. A single movement writes the row of its item,
-- so an order with a thousand lines of one item left a thousand versions of that row. Movements that contain their
-- quantities are applied together, and the item is written once for each statement. The caller has locked the items and
-- computed the quantities.
create function number_movement() returns trigger language plpgsql as $$
begin
  if new.reserved_after is null then
    raise exception 'a movement brings both quantities along or none' using errcode = '23000';
  end if;
  -- Counting may find less than was promised; promising more than there is may not happen.
  if new.reserved_delta > 0 and new.reserved_after > new.quantity_after then
    raise exception 'not enough is free to be reserved'
      using errcode = '23514', constraint = 'items_reserve_only_what_is_free';
  end if;
  -- This also sees the earlier movements of the same statement.
  select greatest(new.created_at, max(m.created_at) + interval '1 microsecond') into new.created_at
  from movements m where m.item_id = new.item_id;
  return new;
end $$;

-- After each statement, the movements of an item follow each other without a gap, and the item has the quantities after
-- its last movement. If the item still has the quantities before its first movement, the movements are applied here.
create function apply_movements() returns trigger language plpgsql as $$
begin
  update items i
  set quantity = s.quantity, reserved_quantity = s.reserved, revision = i.revision + 1,
      updated_at = greatest(i.updated_at, s.moment)
  from (
    select distinct on (item_id) item_id, quantity_after as quantity, reserved_after as reserved, created_at as moment,
           quantity_after - sum(delta) over of_item as quantity_before,
           reserved_after - sum(reserved_delta) over of_item as reserved_before
    from added window of_item as (partition by item_id)
    order by item_id, created_at desc
  ) s
  where i.id = s.item_id and (i.quantity, i.reserved_quantity) = (s.quantity_before, s.reserved_before)
    and (i.quantity, i.reserved_quantity) <> (s.quantity, s.reserved);
  if exists (
    select from (
      select item_id, quantity_after, reserved_after, lead(quantity_after - delta) over in_order as next_quantity,
             lead(reserved_after - reserved_delta) over in_order as next_reserved
      from added window in_order as (partition by item_id order by created_at)
    ) m join items i on i.id = m.item_id
    where (m.quantity_after, m.reserved_after)
      <> (coalesce(m.next_quantity, i.quantity), coalesce(m.next_reserved, i.reserved_quantity))
  ) then
    raise exception 'the quantities of a movement are not those of its item' using errcode = '23000';
  end if;
  return null;
end $$;

-- Owned by module orders: the lines of the moved pieces are written together, and the status of each order is updated
-- once. The pieces of a movement without a line go to the lines with its item, one after the other.
create function follow_order_movements() returns trigger language plpgsql as $$
declare
  each record;
begin
  if not exists (select from added where order_id is not null) then
    return null;
  end if;
  update order_lines l
  -- A line holds as little as nothing, and takes more than was ordered.
  set reserved_quantity = greatest(0, l.reserved_quantity + m.reserved),
      shipped_quantity = greatest(0, l.shipped_quantity + m.shipped)
  from (
    select order_line_id, order_id, item_id, sum(reserved_delta)::integer as reserved,
           sum(shipped_by(kind, delta, undoes_id))::integer as shipped
    from added where order_id is not null and order_line_id is not null group by 1, 2, 3
  ) m
  where l.id = m.order_line_id and l.order_id = m.order_id and l.item_id = m.item_id and (m.reserved <> 0 or m.shipped <> 0);
  for each in
    select order_id, item_id, reserved_delta as reserved, shipped_by(kind, delta, undoes_id) as shipped
    from added where order_id is not null and order_line_id is null order by created_at
  loop
    -- Subtract reserved pieces before shipped ones are added, so that a line has room for its own reserved pieces.
    if each.reserved <> 0 then
      perform book_on_order_line(null, each.order_id, each.item_id, 'reserved', each.reserved);
    end if;
    if each.shipped <> 0 then
      perform book_on_order_line(null, each.order_id, each.item_id, 'shipped', each.shipped);
    end if;
  end loop;
  for each in
    select order_id, bool_or(shipped_by(kind, delta, undoes_id) < 0) as is_taken_back, max(created_at) as moment
    from added where order_id is not null group by order_id order by order_id
  loop
    perform advance_order(each.order_id, each.is_taken_back, each.moment);
  end loop;
  return null;
end $$;

drop trigger movements_apply on movements;
create trigger movements_apply before insert on movements
  for each row when (new.quantity_after is null) execute function apply_movement();
create trigger movements_number before insert on movements
  for each row when (new.quantity_after is not null) execute function number_movement();
create trigger movements_applied after insert on movements
  referencing new table as added for each statement execute function apply_movements();
drop trigger movements_of_orders on movements;
create trigger movements_of_orders after insert on movements
  referencing new table as added for each statement execute function follow_order_movements();
