-- Owned by module orders: the money that a shop keeps of refunded pieces, such as a cancellation fee. It is revenue, although
-- no piece was shipped for it (record 59).
alter table orders add column kept_minor bigint;

-- The kept money that counts, by the day from which it counts, and the fees of an order that earned nothing else. A later
-- change adds a row with the difference, so that the report of a finished month stays the same.
create table kept_money (
  id uuid primary key default gen_random_uuid(),
  order_id uuid not null references orders (id) on delete cascade,
  amount_minor bigint not null,
  fee_minor bigint not null,
  created_at timestamptz not null
);
create index kept_money_of_order on kept_money (order_id);
create index kept_money_by_time on kept_money (created_at);

-- The part of an order's kept money that arrived while the customer had refunded pieces. It does not count until they are
-- back (`back_at_returned`: the number of returned pieces then). It waits again if a return is undone.
create table kept_money_waiting (
  order_id uuid primary key references orders (id) on delete cascade,
  kept_minor bigint not null,
  waiting_minor bigint not null,
  back_at_returned bigint
);

-- Adds a missing entry of an order.
-- - While the customer has more pieces than were not refunded, the revenue contains the whole price of these pieces, so
-- money that arrives then waits until they are returned. The pieces of a cancelled order are all refunded, also while its
-- cancellation is refused because they are out. Money that counted before still counts.
-- - It is part of the surcharge, and never more than that. A cancelled order keeps the amounts of its lines, so there the
-- total is the limit. If nothing of it was shipped, no piece has its fees, so they count with the money.
-- - The pieces of an order from before the stock was kept here are no revenue, and neither is its kept money.
-- The trigger runs at the end of the transaction, when the lines of the order are stored. It compares the order with what
-- was counted, so it may run several times.
create function count_kept_money() returns trigger language plpgsql as $$
declare
  o orders;
  pieces record;
  waiting kept_money_waiting;
  counted record;
  kept bigint;
  counts bigint;
  fee bigint;
begin
  select * into o from orders where id = new.id;
  if not found then
    return null;
  end if;
  select coalesce(sum(l.shipped_quantity), 0) as shipped,
         coalesce(sum(l.returned_quantity), 0) as returned,
         coalesce(bool_or(l.shipped_quantity - l.returned_quantity > case
           when o.status = 'cancelled' or o.source_told->>'refused_status' = 'cancelled' then 0
           when whole.id is null then l.quantity - l.refunded_quantity
           else (whole.quantity - whole.refunded_quantity)::bigint * l.pieces_per_set
         end), false) as are_out
    into pieces
    from order_lines l left join order_lines whole on whole.id = l.set_line_id
    where l.order_id = o.id and not l.is_set;
  select coalesce(sum(amount_minor), 0) as amount, coalesce(sum(fee_minor), 0) as fee
    into counted from kept_money where order_id = o.id;
  select * into waiting from kept_money_waiting where order_id = o.id;
  if not found then
    waiting := row(o.id, 0, 0, null);
  end if;

  kept := case when o.is_history then 0 else coalesce(o.kept_minor, 0) end;
  if kept < waiting.kept_minor then
    waiting.waiting_minor := greatest(0, waiting.waiting_minor + kept - waiting.kept_minor);
  elsif kept > waiting.kept_minor and pieces.are_out then
    waiting.waiting_minor := kept - waiting.kept_minor
      + case when waiting.back_at_returned is null then waiting.waiting_minor else 0 end;
    waiting.back_at_returned := null;
  end if;
  waiting.kept_minor := kept;
  if not pieces.are_out then
    waiting.back_at_returned := coalesce(waiting.back_at_returned, pieces.returned);
  elsif waiting.back_at_returned > pieces.returned then
    waiting.back_at_returned := null;
  end if;

  counts := least(
    kept - case when waiting.back_at_returned is null then waiting.waiting_minor else 0 end,
    case when o.status = 'cancelled' then o.total_minor else coalesce(o.surcharge_minor, 0) end);
  fee := case when o.status = 'cancelled' and pieces.shipped = 0 and counts > 0 then coalesce(o.fee_minor, 0) else 0 end;
  insert into kept_money (order_id, amount_minor, fee_minor, created_at)
    select o.id, counts - counted.amount, fee - counted.fee, o.updated_at
    where counts <> counted.amount or fee <> counted.fee;
  insert into kept_money_waiting values (waiting.*)
    on conflict (order_id) do update
    set kept_minor = excluded.kept_minor, waiting_minor = excluded.waiting_minor, back_at_returned = excluded.back_at_returned;
  return null;
end $$;

create constraint trigger orders_kept_money_of_new after insert on orders
  deferrable initially deferred for each row
  when (new.kept_minor is not null)
  execute function count_kept_money();

-- Each change of an order, its shipments and its returns changes the revision of the order.
create constraint trigger orders_kept_money after update of revision on orders
  deferrable initially deferred for each row
  when (old.revision <> new.revision and (old.kept_minor is not null or new.kept_minor is not null))
  execute function count_kept_money();
