-- Owned by module orders: an order on hold is also completed when all its pieces are shipped. People ship no pieces of
-- such an order, but the staff of its shop can send them. Otherwise people would be asked to pack a parcel that has
-- already been sent.
create or replace function advance_order(an_order uuid, is_taken_back boolean, moment timestamptz) returns void
language plpgsql as $$
declare
  now_status text;
  next_status text;
begin
  select status into now_status from orders where id = an_order for no key update;
  if now_status = 'pending' and exists (
    select from order_lines where order_id = an_order and (shipped_quantity > 0 or reserved_quantity > 0)
  ) then
    next_status := 'in_progress';
  end if;
  if now_status = 'completed' and is_taken_back then
    next_status := 'in_progress';
  end if;
  if now_status in ('pending', 'in_progress', 'on_hold') and not exists (
    select from order_lines
    where order_id = an_order and shipped_quantity < quantity and ignored_at is null and not is_set
  ) and exists (select from order_lines where order_id = an_order and shipped_quantity > 0) then
    next_status := 'completed';
  end if;
  if next_status is not null then
    update orders set status = next_status, revision = revision + 1, updated_at = moment where id = an_order;
  end if;
end $$;
