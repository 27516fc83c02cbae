-- Owned by the platform: the rows that each transaction changed. A process that caches rows of a list reads here which
-- of them have changed (`platform/http/lists/known-rows.ts`). It does not have to read and compare all rows again.
create table row_changes (
  xid xid8 not null,
  row_id uuid not null,
  at timestamptz not null default now(),
  primary key (xid, row_id)
);
create index row_changes_at on row_changes (at);

create function note_row_change(id uuid) returns void language sql as $$
  insert into row_changes (xid, row_id) select pg_current_xact_id(), id where id is not null on conflict do nothing
$$;

create function note_own_change() returns trigger language plpgsql as $$
begin
  perform note_row_change(new.id);
  return null;
end $$;

-- Triggers for everything that the list of orders shows. First: the order itself.
create trigger orders_noted after update on orders for each row execute function note_own_change();

-- The shipments of the order.
create function note_order_of_shipment() returns trigger language plpgsql as $$
begin
  perform note_row_change(new.order_id);
  return null;
end $$;
create trigger shipments_noted after insert or update on shipments
  for each row execute function note_order_of_shipment();

-- The lines of the order. They also change the free pieces that lines of other orders get.
create function note_new_lines() returns trigger language plpgsql as $$
begin
  insert into row_changes (xid, row_id)
  select pg_current_xact_id(), id from (select order_id from changed union select item_id from changed) as rows (id)
  where id is not null on conflict do nothing;
  return null;
end $$;
create function note_changed_lines() returns trigger language plpgsql as $$
begin
  insert into row_changes (xid, row_id)
  select pg_current_xact_id(), id from (
    select order_id from before union select item_id from before union select item_id from changed
  ) as rows (id)
  where id is not null on conflict do nothing;
  return null;
end $$;
create trigger order_lines_new_noted after insert on order_lines
  referencing new table as changed for each statement execute function note_new_lines();
create trigger order_lines_noted after update on order_lines
  referencing old table as before new table as changed for each statement execute function note_changed_lines();
create trigger order_lines_old_noted after delete on order_lines
  referencing old table as changed for each statement execute function note_new_lines();

-- The items of the lines.
create trigger items_noted after update on items for each row
  when (
    (old.quantity, old.reserved_quantity, old.deleted_at, old.color_hex, old.stl_file_id)
    is distinct from (new.quantity, new.reserved_quantity, new.deleted_at, new.color_hex, new.stl_file_id)
  )
  execute function note_own_change();

-- The pictures of the items' models.
create trigger stl_files_noted after update on stl_files for each row
  when ((old.current_version_id, old.deleted_at) is distinct from (new.current_version_id, new.deleted_at))
  execute function note_own_change();
create function note_model_of_version() returns trigger language plpgsql as $$
begin
  perform note_row_change(new.stl_file_id);
  return null;
end $$;
create trigger stl_versions_noted after update on stl_versions for each row
  when ((old.thumbnail_key is null) is distinct from (new.thumbnail_key is null))
  execute function note_model_of_version();

-- The print jobs of the order.
create function note_order_of_job() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    perform note_row_change(old.order_id);
  end if;
  if tg_op <> 'DELETE' then
    perform note_row_change(new.order_id);
  end if;
  return null;
end $$;
create trigger print_jobs_new_noted after insert on print_jobs for each row
  when (new.order_id is not null) execute function note_order_of_job();
create trigger print_jobs_old_noted after delete on print_jobs for each row
  when (old.order_id is not null) execute function note_order_of_job();
create trigger print_jobs_noted after update on print_jobs for each row
  when (
    (old.order_id is not null or new.order_id is not null)
    and (old.order_id, old.order_line_id, old.item_id, old.status, old.quantity, old.good_quantity, old.deleted_at)
      is distinct from
        (new.order_id, new.order_line_id, new.item_id, new.status, new.quantity, new.good_quantity, new.deleted_at)
  )
  execute function note_order_of_job();

-- The times at which the jobs are expected to be printed.
create function note_order_of_plan() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    perform note_row_change((select order_id from print_jobs where id = old.print_job_id));
  end if;
  if tg_op <> 'DELETE' then
    perform note_row_change((select order_id from print_jobs where id = new.print_job_id));
  end if;
  return null;
end $$;
create trigger planned_prints_noted after insert or update or delete on planned_prints
  for each row execute function note_order_of_plan();
