-- in steps
-- Owned by module orders: the shop's ids of the parcels that the report of a shipment added there. If the shipment is undone
-- here, these parcels are cancelled in the shop, with repeated attempts like those of a report.
alter table shipments
  add column shop_parcel_ids text[] not null default '{}',
  add column cancel_attempts integer not null default 0,
  add column cancel_after timestamptz,
  add column cancelled_in_shop_at timestamptz;

create index concurrently if not exists shipments_to_cancel on shipments (undone_at, id)
  where undone_at is not null and cancelled_in_shop_at is null and shop_parcel_ids <> '{}';
