-- Owned by module orders: shipments that the shop's own staff sent. They are recorded in Pegasus Ops, and are not
-- reported to the shop.
alter table shipments add column made_at_shop boolean not null default false;
