-- Orders of the main site that were cancelled before they were known here. They are not added as orders. An older message
-- about such an order may arrive after its cancellation and must not add it as an open order.
create table skipped_orders (
  -- `id:` and the shop's id of the order, or without such an id `number:` and the number of the order.
  name text primary key,
  -- The time of the cancellation at the shop.
  cancelled_at timestamptz not null
);

create index skipped_orders_by_time on skipped_orders (cancelled_at);
