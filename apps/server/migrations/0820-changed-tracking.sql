-- Owned by module orders: tracking that people change after the report of a shipment, which the server sends to the shop.
-- `told_tracking` is the tracking that the shop has, and `sent_tracking` the one of an attempt without a known result.
alter table shipments
  add column tracking_due boolean not null default false,
  add column tracking_changed_at timestamptz,
  add column sent_tracking jsonb,
  add column tracking_attempts integer not null default 0,
  add column tracking_after timestamptz,
  add column tracking_problem text;
