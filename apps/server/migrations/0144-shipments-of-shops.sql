-- Owned by module orders: pieces that the shop's own staff sent. They are booked here as a shipment, and the shop is not told of it.
alter table shipments add column made_at_shop boolean not null default false;
