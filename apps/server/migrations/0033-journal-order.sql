-- A movement has the time at which its request began, but it may wait before it is written. Of two parallel movements,
-- the one written later could have the earlier time. Movements would then be read in another order than they were made,
-- and a movement before a count could look like one after it. So each row gets a time after all existing rows of its
-- item or spool.

create or replace function apply_movement() returns trigger language plpgsql as $$
begin
  update items
  set quantity = quantity + new.delta,
      reserved_quantity = reserved_quantity + new.reserved_delta,
      revision = revision + 1,
      updated_at = greatest(updated_at, new.created_at)
  where id = new.item_id
  returning quantity, reserved_quantity into new.quantity_after, new.reserved_after;
  if not found then
    raise exception 'there is no such item' using errcode = '23503', constraint = 'movements_item_id_fkey';
  end if;
  -- Counting may find less than was promised; promising more than there is may not happen.
  if new.reserved_delta > 0 and new.reserved_after > new.quantity_after then
    raise exception 'not enough is free to be reserved'
      using errcode = '23514', constraint = 'items_reserve_only_what_is_free';
  end if;
  -- The item is held by now, so what is asked here is all that there is.
  select greatest(new.created_at, max(m.created_at) + interval '1 microsecond') into new.created_at
  from movements m where m.item_id = new.item_id;
  return new;
end $$;

create or replace function apply_spool_entry() returns trigger language plpgsql as $$
begin
  update spools
  set remaining_grams = remaining_grams + new.delta_grams,
      opened_at = case when new.kind = 'use' then coalesce(opened_at, new.created_at) else opened_at end,
      last_used_at = case when new.kind = 'use' then greatest(last_used_at, new.created_at) else last_used_at end,
      updated_at = greatest(updated_at, new.created_at)
  where id = new.spool_id
  returning remaining_grams into new.after_grams;
  if not found then
    raise exception 'there is no such spool' using errcode = '23503', constraint = 'spool_ledger_spool_id_fkey';
  end if;
  new.before_grams := new.after_grams - new.delta_grams;
  select greatest(new.created_at, max(e.created_at) + interval '1 microsecond') into new.created_at
  from spool_ledger e where e.spool_id = new.spool_id;
  return new;
end $$;
