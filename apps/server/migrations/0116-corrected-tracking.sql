-- Owned by module orders: the tracking that the shop was told. A correction here does not change what the shop shows.
alter table shipments add column told_tracking jsonb;
