-- Owned by module orders: the pieces of each line, shipments, and the addresses of orders.

alter table orders drop constraint orders_status;
alter table orders
  add constraint orders_status check (status in ('pending', 'in_progress', 'on_hold', 'completed', 'cancelled')),
  add column shipping_address jsonb constraint orders_address check (jsonb_typeof(shipping_address) = 'object'),
  add column shipping_minor bigint constraint orders_shipping check (shipping_minor >= 0),
  add column tax_minor bigint constraint orders_tax check (tax_minor >= 0),
  add column discount_minor bigint constraint orders_discount check (discount_minor >= 0),
  add column fee_minor bigint constraint orders_fee check (fee_minor >= 0);

-- The pieces of a line by state. The triggers below compute them from the movements.
alter table order_lines
  add column shipped_quantity integer not null default 0 constraint order_lines_shipped check (shipped_quantity >= 0),
  add column reserved_quantity integer not null default 0
    constraint order_lines_reserved check (reserved_quantity >= 0),
  add column returned_quantity integer not null default 0
    constraint order_lines_returned check (returned_quantity between 0 and shipped_quantity),
  -- True if the order is open. Free stock is shared among the lines of open orders.
  add column is_open boolean not null default false;
alter table order_lines
  add column needed_quantity integer not null generated always as (
    case when is_open and ignored_at is null then greatest(0, quantity - shipped_quantity - reserved_quantity) else 0 end
  ) stored;
create index order_lines_needing on order_lines (item_id) where needed_quantity > 0;

create function is_open_order(status text, deleted_at timestamptz) returns boolean language sql immutable as
  $$ select status in ('pending', 'in_progress') and deleted_at is null $$;

create function open_order_line() returns trigger language plpgsql as $$
begin
  new.is_open := (select is_open_order(status, deleted_at) from orders where id = new.order_id);
  return new;
end $$;
create trigger order_lines_open before insert on order_lines for each row execute function open_order_line();

create function open_order_lines() returns trigger language plpgsql as $$
begin
  update order_lines set is_open = is_open_order(new.status, new.deleted_at) where order_id = new.id;
  return null;
end $$;
create trigger orders_open after update of status, deleted_at on orders
  for each row when (is_open_order(old.status, old.deleted_at) <> is_open_order(new.status, new.deleted_at))
  execute function open_order_lines();

-- The line of a movement. The pieces of a movement that names only an order go to the order's lines with that item, one
-- after the other. Movements outlive lines that the shop removes, so there is no foreign key.
alter table movements add column order_line_id uuid;

create function book_on_order_line(
  line uuid, an_order uuid, an_item uuid, column_name text, amount integer
) returns void language plpgsql as $$
declare
  each record;
  part integer;
begin
  for each in
    select id, quantity - shipped_quantity - reserved_quantity as room,
           case column_name when 'shipped' then shipped_quantity else reserved_quantity end as has,
           row_number() over (order by position desc) = 1 as is_last
    from order_lines
    where order_id = an_order and item_id = an_item and (line is null or id = line)
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

-- The number of pieces that a movement ships. Negative if the movement undoes a shipment.
create function shipped_by(a_kind text, a_delta integer, undone uuid) returns integer language sql stable as $$
  select case when a_kind = 'ship' or exists (select from movements where id = undone and kind = 'ship') then -a_delta
              else 0 end
$$;

create function follow_order_movement() returns trigger language plpgsql as $$
declare
  shipped integer := shipped_by(new.kind, new.delta, new.undoes_id);
begin
  -- What is no longer reserved makes room first, so that a shipment of reserved pieces stays on their line.
  if new.reserved_delta <> 0 then
    perform book_on_order_line(new.order_line_id, new.order_id, new.item_id, 'reserved', new.reserved_delta);
  end if;
  if shipped <> 0 then
    perform book_on_order_line(new.order_line_id, new.order_id, new.item_id, 'shipped', shipped);
  end if;
  perform advance_order(new.order_id, shipped < 0, new.created_at);
  return null;
end $$;

-- The first work on a pending order sets it to in progress. The last shipped piece completes it. Undoing a shipment
-- opens it again.
create function advance_order(an_order uuid, is_taken_back boolean, moment timestamptz) returns void
language plpgsql as $$
declare
  is_shipped boolean;
  is_begun boolean;
  next_status text;
begin
  select bool_and(shipped_quantity >= quantity or ignored_at is not null) and bool_or(shipped_quantity > 0),
         bool_or(shipped_quantity > 0 or reserved_quantity > 0)
  into is_shipped, is_begun from order_lines where order_id = an_order;
  select case when status in ('pending', 'in_progress') and is_shipped then 'completed'
              when status = 'pending' and is_begun then 'in_progress'
              when status = 'completed' and is_taken_back then 'in_progress' end
  into next_status from orders where id = an_order for update;
  if next_status is not null then
    update orders set status = next_status, revision = revision + 1, updated_at = moment where id = an_order;
  end if;
end $$;

create trigger movements_of_orders after insert on movements
  for each row when (new.order_id is not null) execute function follow_order_movement();

create function begin_order_of_job() returns trigger language plpgsql as $$
begin
  update orders set status = 'in_progress', revision = revision + 1, updated_at = new.updated_at
  where id = new.order_id and status = 'pending';
  return null;
end $$;
-- A job of an order belongs to a line with its item. Lines that still need pieces come first.
create function find_line_of_job() returns trigger language plpgsql as $$
begin
  new.order_line_id := (
    select id from order_lines where order_id = new.order_id and item_id = new.item_id
    order by needed_quantity = 0, position limit 1
  );
  return new;
end $$;
create trigger print_jobs_line before insert or update of order_id on print_jobs
  for each row when (new.order_id is not null and new.order_line_id is null) execute function find_line_of_job();
create trigger print_jobs_of_orders after insert or update of order_id on print_jobs
  for each row when (new.order_id is not null) execute function begin_order_of_job();

-- A new item, or an item with another SKU, is linked to the open lines with its SKU.
create function match_unknown_skus() returns trigger language plpgsql as $$
begin
  update order_lines set item_id = new.id
  where item_id is null and ignored_at is null and upper(sku) = upper(new.sku) and sku <> ''
    and order_id in (select id from orders where status not in ('completed', 'cancelled') and deleted_at is null);
  return null;
end $$;
create trigger items_of_order_lines after insert or update of sku, deleted_at on items
  for each row when (new.deleted_at is null) execute function match_unknown_skus();

-- Owned by module orders: shipments. Each one is a parcel of an order.
create table shipments (
  id uuid primary key,
  order_id uuid not null references orders (id),
  -- The number of the shipment within its order, from 1.
  number integer not null constraint shipments_number check (number >= 1),
  carrier text,
  tracking_number text,
  tracking_url text,
  -- True if the shipment is reported to the shop.
  notify_shop boolean not null default true,
  actor_kind text not null constraint shipments_actor_kind check (actor_kind in ('user', 'api_key', 'system')),
  actor_id uuid,
  actor_name text not null,
  created_at timestamptz not null,
  undone_at timestamptz,
  constraint shipments_number_key unique (order_id, number)
);

create table shipment_lines (
  shipment_id uuid not null references shipments (id),
  order_line_id uuid not null references order_lines (id),
  quantity integer not null constraint shipment_lines_quantity check (quantity >= 1),
  -- The number of these pieces that were reserved for the order.
  from_reserved integer not null default 0
    constraint shipment_lines_from_reserved check (from_reserved between 0 and quantity),
  -- Null for a line without an item, because such a line takes nothing from the stock.
  movement_id uuid references movements (id),
  primary key (shipment_id, order_line_id)
);
create index shipment_lines_of_line on shipment_lines (order_line_id);

-- The public view of the queue for orders: the pieces that unfinished jobs will still produce for a line.
create view order_jobs as
select j.id, j.order_id, j.order_line_id, j.item_id, j.status, greatest(0, j.quantity - j.good_quantity) as pieces
from print_jobs j
where j.deleted_at is null and j.status in ('pending', 'in_progress', 'on_hold') and j.order_id is not null;

-- Fills in the new columns for earlier orders.
update order_lines l set is_open = is_open_order(o.status, o.deleted_at) from orders o where o.id = l.order_id;

do $$
declare
  told record;
begin
  for told in
    select order_id, item_id, sum(reserved_delta)::integer as reserved,
           sum(shipped_by(kind, delta, undoes_id))::integer as shipped
    from movements where order_id is not null group by order_id, item_id
  loop
    perform book_on_order_line(null, told.order_id, told.item_id, 'shipped', greatest(told.shipped, 0));
    perform book_on_order_line(null, told.order_id, told.item_id, 'reserved', greatest(told.reserved, 0));
  end loop;
end $$;

update print_jobs j set order_line_id = (
  select l.id from order_lines l where l.order_id = j.order_id and l.item_id = j.item_id order by l.position limit 1
) where j.order_id is not null and j.order_line_id is null;

update order_lines l set item_id = i.id
from items i, orders o
where l.item_id is null and l.ignored_at is null and l.sku <> '' and upper(i.sku) = upper(l.sku)
  and i.deleted_at is null and o.id = l.order_id and o.deleted_at is null and o.status not in ('completed', 'cancelled');
