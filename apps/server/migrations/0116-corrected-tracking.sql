-- Owned by module orders: the tracking that was reported to the shop. Correcting it in Pegasus Ops does not change it
-- in the shop.
alter table shipments add column told_tracking jsonb;
