-- Owned by module orders: the bookings of an order with a thousand lines. Before, each movement read all lines of its
-- order, so the time of a shipment grew with the square of the number of lines.

create or replace function book_on_order_line(
  line uuid, an_order uuid, an_item uuid, column_name text, amount integer
) returns void language plpgsql as $$
declare
  each record;
  part integer;
begin
  if line is not null then
    -- A line holds as little as nothing, and takes more than was ordered.
    if column_name = 'shipped' then
      update order_lines set shipped_quantity = greatest(0, shipped_quantity + amount)
      where id = line and order_id = an_order and item_id = an_item;
    else
      update order_lines set reserved_quantity = greatest(0, reserved_quantity + amount)
      where id = line and order_id = an_order and item_id = an_item;
    end if;
    return;
  end if;
  for each in
    select id, quantity - shipped_quantity - reserved_quantity as room,
           case column_name when 'shipped' then shipped_quantity else reserved_quantity end as has,
           row_number() over (order by position desc) = 1 as is_last
    from order_lines
    where order_id = an_order and item_id = an_item
    order by case when amount > 0 then position else -position end
  loop
    exit when amount = 0;
    -- The last line takes what is more than was ordered.
    part := case when amount < 0 then greatest(amount, -each.has)
                 when each.is_last then amount
                 else least(amount, greatest(each.room, 0)) end;
    if column_name = 'shipped' then
      update order_lines set shipped_quantity = shipped_quantity + part where id = each.id and part <> 0;
    else
      update order_lines set reserved_quantity = reserved_quantity + part where id = each.id and part <> 0;
    end if;
    amount := amount - part;
  end loop;
end $$;

-- To find out whether an order has been shipped, it is enough to find one line that has not. The order is written only
-- when its status changes.
create or replace function advance_order(an_order uuid, is_taken_back boolean, moment timestamptz) returns void
language plpgsql as $$
declare
  now_status text;
  next_status text;
begin
  select status into now_status from orders where id = an_order for update;
  if now_status = 'pending' and exists (
    select from order_lines where order_id = an_order and (shipped_quantity > 0 or reserved_quantity > 0)
  ) then
    next_status := 'in_progress';
  end if;
  if now_status = 'completed' and is_taken_back then
    next_status := 'in_progress';
  end if;
  if now_status in ('pending', 'in_progress') and not exists (
    select from order_lines
    where order_id = an_order and shipped_quantity < quantity and ignored_at is null and not is_set
  ) and exists (select from order_lines where order_id = an_order and shipped_quantity > 0) then
    next_status := 'completed';
  end if;
  if next_status is not null then
    update orders set status = next_status, revision = revision + 1, updated_at = moment where id = an_order;
  end if;
end $$;
