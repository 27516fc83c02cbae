-- Owned by module orders: the turn of a line. Free pieces go to the lines of an item in the order of due dates, then of
-- the times of the orders, then of their numbers. The turn is stored in the line and has an index, so sharing out the
-- pieces reads only the lines.
alter table order_lines
  add column turn_due_at timestamptz not null default 'infinity',
  add column turn_placed_at timestamptz not null default 'infinity',
  add column turn_number text not null default '';

update order_lines l
set turn_due_at = coalesce(o.due_at, 'infinity'), turn_placed_at = o.placed_at, turn_number = o.order_number
from orders o where o.id = l.order_id;

create or replace function open_order_line() returns trigger language plpgsql as $$
begin
  select is_open_order(status, deleted_at), coalesce(due_at, 'infinity'), placed_at, order_number
  into new.is_open, new.turn_due_at, new.turn_placed_at, new.turn_number
  from orders where id = new.order_id;
  return new;
end $$;

create function move_order_lines() returns trigger language plpgsql as $$
begin
  update order_lines
  set turn_due_at = coalesce(new.due_at, 'infinity'), turn_placed_at = new.placed_at, turn_number = new.order_number
  where order_id = new.id;
  return null;
end $$;
create trigger orders_turn after update of due_at, placed_at, order_number on orders
  for each row when (
    (old.due_at, old.placed_at, old.order_number) is distinct from (new.due_at, new.placed_at, new.order_number)
  )
  execute function move_order_lines();

drop index order_lines_needing;
create index order_lines_turns on order_lines (item_id, turn_due_at, turn_placed_at, turn_number, position, part_number)
  include (id, needed_quantity) where needed_quantity > 0;
