-- Owned by module orders: the trigger locks the order in the same way as the server (lockOrder), so that a print job
-- can be added to the order at the same time. A lock that also blocks new references caused a deadlock with a
-- transaction that had locked a job of the order and added another one.
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
