-- Owned by module orders: an order that the shop placed after its first comparison causes an alert, even if it arrives
-- days later, for example after an outage. Orders of the first comparison cause no alert. An order of another program,
-- and an order that arrives before the first comparison, causes an alert if it was placed within the last day.
create or replace function note_new_order() returns trigger language plpgsql as $$
declare
  first_comparison timestamptz;
begin
  if new.source = 'main_site' then
    select max(begun_at) into first_comparison from shop_first_comparisons;
  end if;
  if new.placed_at > coalesce(first_comparison, new.created_at - interval '1 day') then
    insert into order_news (order_id, kind, at) values (new.id, 'new_order', new.created_at);
  end if;
  return null;
end $$;

create or replace trigger orders_new_noted after insert on orders for each row
  when (new.source <> 'manual' and new.status in ('pending', 'in_progress'))
  execute function note_new_order();
