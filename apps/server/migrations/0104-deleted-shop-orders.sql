-- in steps
-- Owned by module orders: the last time at which the shop was asked which of its orders it has deleted.
alter table shop_syncs add column if not exists deletions_checked_at timestamptz;
-- An order that a person deleted stays deleted, whatever the shop sends.
create index concurrently if not exists orders_deleted_here on orders (external_id)
  where deleted_at is not null and external_id is not null;
