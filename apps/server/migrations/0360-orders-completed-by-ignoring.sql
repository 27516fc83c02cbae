-- Owned by module orders: true if an order was completed because a person ignored the SKU of its last line. The order
-- is reopened if that SKU is needed after all. Every later change of the status resets the column.
alter table orders add column is_completed_by_ignoring boolean not null default false;

create function reset_completed_by_ignoring() returns trigger language plpgsql as $$
begin
  new.is_completed_by_ignoring := false;
  return new;
end $$;
create trigger orders_completed_by_ignoring before update of status on orders for each row
  when (old.is_completed_by_ignoring and old.status is distinct from new.status)
  execute function reset_completed_by_ignoring();
