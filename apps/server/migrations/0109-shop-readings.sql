-- in steps
-- Owned by module orders: the time until which each version of the reader has read the changes of a shop, and the time
-- at which it last asked which orders the shop has deleted. The table replaces shop_syncs, which only the version
-- before this migration reads.
create table shop_readings (
  url text not null,
  reader integer not null,
  known_until timestamptz not null,
  deletions_checked_at timestamptz,
  primary key (url, reader)
);

-- Orders that were restored, with a change of the shop that was not applied yet.
create index concurrently if not exists orders_to_catch_up on orders (id) where source_waiting is not null and deleted_at is null;

-- The time of the alert about a refused order.
alter table refused_orders add column told_at timestamptz;

-- Owned by module alerts.
alter table alerts drop constraint alerts_kind, add constraint alerts_kind check (kind in (
  'low_stock', 'low_filament', 'filament_short', 'job_finished', 'job_failed', 'printer_error', 'publication_failed',
  'new_order', 'order_overdue', 'order_shipped', 'order_cancelled', 'order_refused', 'backup_failed')) not valid;
alter table alerts validate constraint alerts_kind;
