-- Owned by module orders: shipments whose report changed nothing in the shop, because the shop already counted their
-- pieces as sent.
alter table shipments add column added_nothing_in_shop boolean not null default false;
