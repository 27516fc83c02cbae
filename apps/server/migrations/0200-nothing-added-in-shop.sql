-- Owned by module orders: shipments whose report added nothing in the shop, because the shop counted their pieces as sent before.
alter table shipments add column added_nothing_in_shop boolean not null default false;
