-- in steps
-- Owned by module orders: undone shipments whose parcels are to be cancelled in the shop. The shop can have parcels whose
-- ids are unknown here, because the response to the report was lost, so the index has shipments without ids as well.
create index concurrently if not exists shipments_undone on shipments (undone_at, id)
  where undone_at is not null and cancelled_in_shop_at is null;
