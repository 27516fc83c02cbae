-- True if a failed report of a shipment reached the shop in part, for example for one of two locations. It stays true
-- after a later report succeeds.
alter table shipments add column partly_told boolean not null default false;
