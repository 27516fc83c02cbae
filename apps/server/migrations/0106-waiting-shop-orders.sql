-- in steps
-- Owned by module orders: the shop's own id of a refused order, and the order as it was received, so that it can be
-- tried again.
alter table refused_orders
  add column external_id text,
  add column sent jsonb;

-- The last change that the shop sent while the order was in the trash, until the order is restored.
alter table orders add column source_waiting jsonb;
-- An order without an id of the shop is recognized by its number.
create index concurrently orders_deleted_number on orders (order_number) where deleted_at is not null;
