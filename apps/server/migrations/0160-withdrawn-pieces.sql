-- Owned by module orders: pieces of a shipment that the shop no longer counts as sent, because it cancelled its own
-- shipment.
alter table shipment_lines add column withdrawn_quantity integer not null default 0;
