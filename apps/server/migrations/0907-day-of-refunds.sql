-- Owned by module orders: money that a shop refunds without pieces lowers the revenue on the day of the refund, also if the
-- order is read weeks later (record 59).

-- The discount of the order after each refund, as `{at, minor}` with rising amounts. Null if the shop does not send when it
-- refunded.
alter table orders add column discount_after jsonb;

-- As correct_order_earnings before. `is_part` means that the discount has changed by more, and that another call corrects
-- the rest. A correction is never before its shipment.
create function correct_part_of_earnings(
  changed_order uuid, discount_change numeric, fee_change numeric, changed_at timestamptz, is_part boolean
) returns void language plpgsql as $$
declare
  revenue numeric;
  discount_more numeric;
  fee_more numeric;
begin
  if not exists (select from shipments where order_id = changed_order and undone_at is null) then
    return;
  end if;
  perform keep_earnings(array[changed_order]);
  with of_order as (
    select coalesce(o.discount_minor, 0) - sum(l.discount) as discount_left,
           coalesce(sum(l.kept * l.not_refunded) / nullif(sum(l.ordered - l.refunded), 0), 0) as discount_share,
           coalesce(o.fee_minor, 0) - sum(l.fee) as fee_left,
           coalesce(sum(l.kept) / nullif(sum(l.ordered), 0), 0) as fee_share,
           o.status in ('completed', 'cancelled') as is_ended,
           round(sum(l.ordered - l.kept)) = 0 and sum(l.ordered) > 0 as is_whole
    from sold_lines(array[changed_order]) l join orders o on o.id = l.order_id
    group by o.id
  )
  -- The discount of a line with refunded pieces can contain half a cent, which is not corrected.
  select case when is_whole and not is_part then case when abs(discount_left) > 0.5 then round(discount_left) else 0 end
              when discount_change <> 0 then least(round(discount_change * discount_share), round(discount_left))
              else 0 end,
         case when is_part then 0
              when is_whole or is_ended then round(fee_left)
              when fee_change <> 0 then least(round(fee_change * fee_share), round(fee_left))
              else 0 end
  into discount_more, fee_more from of_order;
  -- A refund can be higher than what the pieces have brought, for example if some of them were returned before. Their
  -- revenue then ends at zero. If it is below zero, because a shipment was undone, the pieces give back their discount.
  revenue := order_revenue(changed_order);
  discount_more := least(coalesce(discount_more, 0), greatest(0, revenue));
  if revenue < 0 then
    discount_more := least(discount_more, greatest(revenue, -coalesce(
      (select sum(discount_minor) from sold_pieces where order_id = changed_order), 0)));
  end if;
  if coalesce(discount_more, 0) = 0 and coalesce(fee_more, 0) = 0 then
    return;
  end if;
  insert into shipment_corrections (shipment_id, order_line_id, discount_minor, fee_minor, refunded_quantity, created_at)
  select shipment_id, order_line_id, discount, fee, refunded_quantity, greatest(changed_at, shipped_at)
  from (
    select shipment_id, order_line_id, refunded_quantity, shipped_at,
           coalesce(round(discount_more * upto_value / nullif(whole_value, 0))
             - round(discount_more * (upto_value - value) / nullif(whole_value, 0)), 0) as discount,
           round(fee_more * upto / whole) - round(fee_more * (upto - part) / whole) as fee
    from (
      select shipment_id, order_line_id, refunded_quantity, created_at as shipped_at, value, sum(value) over so_far as upto_value, sum(value) over () as whole_value,
             part, sum(part) over so_far as upto, sum(part) over () as whole
      from (
        -- Returned pieces have brought nothing, so the discount is for the others.
        select s.shipment_id, s.order_line_id, s.created_at, ordered.refunded_quantity,
               s.value * least(
                 l.not_refunded,
                 case when revenue < 0 then 1 else 1 - line.returned_quantity::numeric / greatest(line.shipped_quantity, 1) end
               ) as value,
               case when sum(s.value) over () = 0 then s.quantity else s.value end as part
        from sold_pieces s join sold_lines(array[changed_order]) l on l.order_line_id = s.ordered_line_id
        join order_lines ordered on ordered.id = s.ordered_line_id
        join order_lines line on line.id = s.order_line_id
        where s.order_id = changed_order
      ) parts
      window so_far as (order by created_at, shipment_id, order_line_id rows unbounded preceding)
    ) shares
  ) rounded
  where discount <> 0 or fee <> 0;
end $$;

create or replace function correct_order_earnings(
  changed_order uuid, discount_change numeric, fee_change numeric, changed_at timestamptz
) returns void language plpgsql as $$
begin
  perform correct_part_of_earnings(changed_order, discount_change, fee_change, changed_at, false);
end $$;

-- As before, but a discount that rises because of refunds has the days of these refunds. The day is never before the order
-- was placed, nor after the change. It is not before the last reduction of the discount, either: what was taken back
-- counts again at the earliest after that.
create or replace function correct_earnings() returns trigger language plpgsql as $$
declare
  counted bigint := coalesce(old.discount_minor, 0);
  earliest timestamptz;
  part record;
begin
  if coalesce(new.discount_minor, 0) > counted then
    select greatest(new.placed_at, max(c.created_at)) into earliest
    from shipment_corrections c join shipments s on s.id = c.shipment_id
    where s.order_id = new.id and s.undone_at is null and c.discount_minor < 0;
    for part in
      select least(greatest(at, earliest), new.updated_at) as at,
             least(upto, new.discount_minor) - greatest(before, coalesce(old.discount_minor, 0)) as amount
      from (
        select told.at, told.minor as upto, lag(told.minor, 1, 0::bigint) over (order by told.minor, told.at) as before
        from orders o cross join jsonb_to_recordset(o.discount_after) as told (at timestamptz, minor bigint)
        where o.id = new.id
      ) steps
      order by upto, steps.at
    loop
      if part.amount > 0 then
        perform correct_part_of_earnings(new.id, part.amount, 0, part.at, true);
        counted := counted + part.amount;
      end if;
    end loop;
  end if;
  perform correct_order_earnings(
    new.id, coalesce(new.discount_minor, 0) - counted,
    coalesce(new.fee_minor, 0) - coalesce(old.fee_minor, 0), new.updated_at);
  return null;
end $$;
