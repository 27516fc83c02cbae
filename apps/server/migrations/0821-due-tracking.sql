-- in steps
-- Owned by module orders: shipments whose changed tracking is to be sent to the shop.
create index concurrently if not exists shipments_tracking_due on shipments (tracking_changed_at, id) where tracking_due;
