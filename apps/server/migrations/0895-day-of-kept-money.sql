-- Owned by module orders: money that a shop keeps from a refund counts on the day of the refund, even if the order is
-- read weeks later (record 59).

-- The kept money after each refund, as `{at, minor}` with rising amounts. Null if the shop does not send when it refunded.
alter table orders add column kept_after jsonb;

-- As before, but money that is added has the day of its refund instead of the day on which it was read. The first unit of
-- money was kept by the first refund, so what counts already is the beginning of this list. Money that the list does not
-- contain has the day of the change, as before, and so has each reduction. The day is never
-- - before the order was placed, nor after the change that added the money,
-- - before the last return of a line with more shipped pieces than were not refunded: the money waited for it,
-- - before the last reduction: money that was taken back does not count again before it.
-- Rows from before this migration keep their day.
create or replace function count_kept_money() returns trigger language plpgsql as $$
declare
  o orders;
  pieces record;
  waiting kept_money_waiting;
  counted record;
  kept bigint;
  counts bigint;
  fee bigint;
  earliest timestamptz;
begin
  select * into o from orders where id = new.id;
  if not found then
    return null;
  end if;
  with pieces_of_order as (
    select l.id, l.shipped_quantity as shipped, l.returned_quantity as returned, case
             when o.status = 'cancelled' or o.source_told->>'refused_status' = 'cancelled' then 0
             when whole.id is null then l.quantity - l.refunded_quantity
             else (whole.quantity - whole.refunded_quantity)::bigint * l.pieces_per_set
           end as not_refunded
    from order_lines l left join order_lines whole on whole.id = l.set_line_id
    where l.order_id = o.id and not l.is_set
  )
  select coalesce(sum(l.shipped), 0) as shipped, coalesce(sum(l.returned), 0) as returned,
         coalesce(bool_or(l.shipped - l.returned > l.not_refunded), false) as are_out,
         (select max(r.created_at) from order_returns r join pieces_of_order p on p.id = r.order_line_id
          where r.undone_at is null and p.shipped > p.not_refunded) as back_at
    into pieces
    from pieces_of_order l;
  select coalesce(sum(amount_minor), 0) as amount, coalesce(sum(fee_minor), 0) as fee,
         max(created_at) filter (where amount_minor < 0) as lowered_at
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
  earliest := greatest(o.placed_at, pieces.back_at, counted.lowered_at);
  insert into kept_money (order_id, amount_minor, fee_minor, created_at)
    select o.id, parts.amount, case when parts.is_last then fee - counted.fee else 0 end,
           least(greatest(parts.at, earliest), o.updated_at)
    from (
      select steps.at, least(steps.upto, counts) - greatest(steps.before, counted.amount) as amount,
             steps.upto >= counts as is_last
      from (
        select at, upto, lag(upto, 1, 0::bigint) over (order by upto, at) as before
        from (
          select at, minor as upto from jsonb_to_recordset(o.kept_after) as told (at timestamptz, minor bigint)
          union all
          select o.updated_at, 9223372036854775807
        ) told
      ) steps
    ) parts
    where counts > counted.amount and parts.amount > 0
    union all
    select o.id, counts - counted.amount, fee - counted.fee, o.updated_at
    where counts < counted.amount or (counts = counted.amount and fee <> counted.fee);
  insert into kept_money_waiting values (waiting.*)
    on conflict (order_id) do update
    set kept_minor = excluded.kept_minor, waiting_minor = excluded.waiting_minor, back_at_returned = excluded.back_at_returned;
  return null;
end $$;
