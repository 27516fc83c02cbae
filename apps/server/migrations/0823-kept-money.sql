-- Owned by module orders: the money that a shop keeps of refunded pieces, such as a cancellation fee. It is revenue, although
-- no piece was shipped for it (record 59).
alter table orders add column kept_minor bigint;

-- The kept money that counts, by the day from which it counts. A later change adds a row with the difference, so that the
-- report of a finished month stays the same.
create table kept_money (
  id uuid primary key default gen_random_uuid(),
  order_id uuid not null references orders (id) on delete cascade,
  amount_minor bigint not null,
  created_at timestamptz not null
);
create index kept_money_of_order on kept_money (order_id);
create index kept_money_by_time on kept_money (created_at);

-- Adds a missing entry of an order.
-- - While the customer has more pieces than were not refunded, the revenue contains the whole price of these pieces, so the
-- kept money waits until their return is booked.
-- - It is part of the surcharge, and never more than that. A cancelled order has the amounts of its lines instead.
-- The trigger runs at the end of the transaction, when the lines of the order are stored.
create function count_kept_money() returns trigger language plpgsql as $$
begin
  insert into kept_money (order_id, amount_minor, created_at)
  select id, counts - counted, created_at
  from (
    select o.id,
           case when exists (
                  select from order_lines l left join order_lines whole on whole.id = l.set_line_id
                  where l.order_id = o.id and not l.is_set and l.shipped_quantity - l.returned_quantity > case
                    when o.status = 'cancelled' then 0
                    when whole.id is null then l.quantity - l.refunded_quantity
                    else (whole.quantity - whole.refunded_quantity)::bigint * l.pieces_per_set
                  end
                ) then 0
                when o.status = 'cancelled' then coalesce(o.kept_minor, 0)
                else least(coalesce(o.kept_minor, 0), coalesce(o.surcharge_minor, 0)) end as counts,
           coalesce((select sum(amount_minor) from kept_money where order_id = o.id), 0) as counted,
           -- An order from before the stock was kept here counts on its own day, like its pieces.
           case when tg_op = 'INSERT' and o.is_history then o.placed_at else o.updated_at end as created_at
    from orders o where o.id = new.id
  ) of_order
  where counts <> counted;
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
