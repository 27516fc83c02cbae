-- Owned by module orders: the revenue of an order is never below zero. Shipments, returns and corrections share this limit.

-- A request locks the order before its shipments and returns. The migration does the same, so that the two cannot
-- deadlock.
-- may block: it holds this lock only while it replaces functions and adds triggers.
lock table orders in exclusive mode;

-- The revenue of an order: what its shipped pieces brought, without what their returns subtracted.
create function order_revenue(some_order uuid) returns numeric language sql stable as $$
  select coalesce((select sum(revenue_minor) from sold_pieces where order_id = some_order and is_kept), 0)
    - coalesce((
        select sum(r.revenue_minor) from order_returns r join order_lines l on l.id = r.order_line_id
        where l.order_id = some_order and r.undone_at is null
      ), 0)
$$;

-- As before, with the limit.
create or replace function earnings_to_keep(some_orders uuid[])
returns table (shipment_id uuid, order_line_id uuid, revenue_minor bigint, discount_minor bigint, fee_minor bigint)
language sql stable as $$
  with of_orders as (
    select o.id as order_id, o.status in ('completed', 'cancelled') as is_ended,
           coalesce(o.discount_minor, 0) - sum(l.discount) as discount,
           sum(l.ordered - l.refunded - l.kept * l.not_refunded) as discounted_value,
           coalesce(o.fee_minor, 0) - sum(l.fee) as fee, sum(l.ordered - l.kept) as value_to_ship,
           sum(l.kept) as kept, sum(l.gross) as kept_gross, greatest(0, order_revenue(o.id)) as revenue
    from sold_lines(some_orders) l join orders o on o.id = l.order_id
    group by o.id
  ), numbered as (
    select s.shipment_id, s.order_line_id, o.*, row_number() over so_far = 1 as is_first,
           sum(s.value) over so_far as value, sum(s.value) over so_far - s.value as value_before,
           sum(s.value) over of_order as whole_value, sum(s.quantity) over so_far as pieces,
           sum(s.quantity) over so_far - s.quantity as pieces_before, sum(s.quantity) over of_order as all_pieces
    from sold_pieces s join of_orders o on o.order_id = s.order_id
    where s.order_id = any (some_orders) and not s.is_kept
    window so_far as (partition by s.order_id order by s.created_at, s.shipment_id, s.order_line_id rows unbounded preceding),
           of_order as (partition by s.order_id)
  ), shared as (
    select shipment_id, order_line_id, revenue,
           round(kept + value) - case when is_first then kept_gross else round(kept + value_before) end as gross,
           round(kept + value) - kept_gross as gross_so_far,
           case when is_first then 0 else round(kept + value_before) - kept_gross end as gross_before,
           coalesce(round(discount * value / nullif(discounted_value, 0)), 0) as discount_so_far,
           coalesce(round(discount * value_before / nullif(discounted_value, 0)), 0) as discount_before,
           case when is_ended and whole_value = 0
                  then round(fee * pieces / all_pieces) - round(fee * pieces_before / all_pieces)
                when is_ended then round(fee * value / whole_value) - round(fee * value_before / whole_value)
                else coalesce(round(fee * value / nullif(value_to_ship, 0))
                  - round(fee * value_before / nullif(value_to_ship, 0)), 0) end as fee
    from numbered
  ), capped as (
    -- The discount can be higher than what the pieces bring, for example if money was refunded for pieces that were
    -- returned before. Later shipments get the rest.
    select shipment_id, order_line_id, gross, fee,
           least(discount_so_far, revenue + gross_so_far) - least(discount_before, revenue + gross_before) as discount
    from shared
  )
  select shipment_id, order_line_id, (gross - discount)::bigint, discount::bigint, fee::bigint from capped
$$;

-- As before, with the limit.
create or replace function returns_to_keep(some_lines uuid[])
returns table (id uuid, revenue_minor bigint) language sql stable as $$
  with shipped as (
    select order_line_id, sum(revenue_minor) as revenue, sum(quantity) as pieces
    from sold_pieces
    where order_id in (select order_id from order_lines where id = any (some_lines)) and order_line_id = any (some_lines)
    group by order_line_id
  ), earlier as (
    select order_line_id, sum(revenue_minor) as revenue, sum(quantity) as pieces
    from order_returns where order_line_id = any (some_lines) and revenue_minor is not null and undone_at is null
    group by order_line_id
  ), numbered as (
    select r.id, r.order_line_id, r.created_at, r.quantity, sum(r.quantity) over so_far as upto, s.revenue - coalesce(e.revenue, 0) as revenue,
           nullif(s.pieces - coalesce(e.pieces, 0), 0) as pieces
    from order_returns r
    left join shipped s on s.order_line_id = r.order_line_id
    left join earlier e on e.order_line_id = r.order_line_id
    where r.order_line_id = any (some_lines) and r.revenue_minor is null and r.undone_at is null
    window so_far as (partition by r.order_line_id order by r.created_at, r.id rows unbounded preceding)
  ), averages as (
    select n.id, l.order_id, n.created_at, left_of.revenue as left_of_order,
           greatest(least(0, left_of.revenue),
             coalesce(round(n.revenue * upto / pieces) - round(n.revenue * (upto - n.quantity) / pieces), 0)) as revenue
    from numbered n join order_lines l on l.id = n.order_line_id
    cross join lateral (select order_revenue(l.order_id) as revenue) left_of
  ), running as (
    select id, revenue, left_of_order, sum(revenue) over (partition by order_id order by created_at, id rows unbounded preceding) as so_far
    from averages
  )
  -- A discount can be shared among the lines in such a way that some of them bring more than the whole order.
  select id, (
           greatest(least(0, left_of_order), least(so_far, greatest(0, left_of_order)))
           - greatest(least(0, left_of_order), least(so_far - revenue, greatest(0, left_of_order)))
         )::bigint
  from running
$$;

-- As correct_earnings before, for changes of an order and of its shipments and returns.
create function correct_order_earnings(
  changed_order uuid, discount_change numeric, fee_change numeric, changed_at timestamptz
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
  select case when is_whole then case when abs(discount_left) > 0.5 then round(discount_left) else 0 end
              when discount_change <> 0 then least(round(discount_change * discount_share), round(discount_left))
              else 0 end,
         case when is_whole or is_ended then round(fee_left)
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
  select shipment_id, order_line_id, discount, fee, refunded_quantity, changed_at
  from (
    select shipment_id, order_line_id, refunded_quantity,
           coalesce(round(discount_more * upto_value / nullif(whole_value, 0))
             - round(discount_more * (upto_value - value) / nullif(whole_value, 0)), 0) as discount,
           round(fee_more * upto / whole) - round(fee_more * (upto - part) / whole) as fee
    from (
      select shipment_id, order_line_id, refunded_quantity, value, sum(value) over so_far as upto_value, sum(value) over () as whole_value,
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

create or replace function correct_earnings() returns trigger language plpgsql as $$
begin
  perform correct_order_earnings(
    new.id, coalesce(new.discount_minor, 0) - coalesce(old.discount_minor, 0),
    coalesce(new.fee_minor, 0) - coalesce(old.fee_minor, 0), new.updated_at);
  return null;
end $$;

-- The pieces of an undone return bring their price again, so that a refund that was higher before counts now.
create function correct_earnings_of_return() returns trigger language plpgsql as $$
begin
  perform correct_order_earnings((select order_id from order_lines where id = new.order_line_id), 0, 0, new.undone_at);
  return null;
end $$;
create constraint trigger order_returns_corrected after update of undone_at on order_returns
  deferrable initially deferred for each row
  when (old.undone_at is null and new.undone_at is not null)
  execute function correct_earnings_of_return();

-- Without the pieces of an undone shipment, a refund can be higher than the price of the others.
create function correct_earnings_of_shipment() returns trigger language plpgsql as $$
begin
  perform correct_order_earnings(new.order_id, 0, 0, new.undone_at);
  return null;
end $$;
create constraint trigger shipments_corrected after update of undone_at on shipments
  deferrable initially deferred for each row
  when (old.undone_at is null and new.undone_at is not null)
  execute function correct_earnings_of_shipment();

-- As before, but a discount above the price of the pieces lowers the shipping that the customer paid.
create or replace function keep_postage() returns trigger language plpgsql as $$
begin
  if not exists (select from shipments where order_id = new.id and postage_minor is not null) and not exists (
    select from shipments s join shipment_lines p on p.shipment_id = s.id
    join postage_entries e on e.shipment_id = p.shipment_id and e.order_line_id = p.order_line_id
    where s.order_id = new.id and s.undone_at is null
  ) then
    return null;
  end if;
  insert into postage_entries (shipment_id, order_line_id, postage_minor, shipping_minor, created_at)
  with ordered as (
    select sum(l.quantity * l.unit_price_minor::numeric) filter (where l.part_number = 0) as value,
           sum((l.quantity - l.refunded_quantity) * l.unit_price_minor::numeric) filter (where l.part_number = 0) as charged,
           sum(l.quantity) filter (where not l.is_set) as pieces
    from order_lines l where l.order_id = new.id
  ), parts as (
    select p.shipment_id, p.order_line_id, p.created_at, s.postage_minor,
           case when sum(p.value) over (partition by p.shipment_id) = 0 then p.quantity else p.value end as weight,
           -- An ended order of which only free pieces were shipped has no other weight than their number.
           case when o.value = 0 or (r.status in ('completed', 'cancelled') and sum(p.value) over () = 0)
             then p.quantity else p.value end as order_weight,
           case when o.value = 0 then o.pieces else o.value end as ordered_weight
    from sold_pieces p join shipments s on s.id = p.shipment_id join orders r on r.id = p.order_id cross join ordered o
    where p.order_id = new.id
  ), running as (
    select p.shipment_id, p.order_line_id, p.postage_minor, p.weight, p.order_weight,
           case when o.status in ('completed', 'cancelled') then sum(p.order_weight) over () else p.ordered_weight end as whole,
           greatest(0, coalesce(o.shipping_minor, 0) - greatest(0, coalesce(o.discount_minor, 0) - w.charged)) as shipping_minor,
           o.updated_at,
           sum(p.weight) over in_shipment as upto, sum(p.weight) over (partition by p.shipment_id) as whole_shipment,
           sum(p.order_weight) over in_order as order_upto
    from parts p join orders o on o.id = new.id cross join ordered w
    window in_shipment as (partition by p.shipment_id order by p.order_line_id rows unbounded preceding),
           in_order as (order by p.created_at, p.shipment_id, p.order_line_id rows unbounded preceding)
  ), wanted as (
    select shipment_id, order_line_id, updated_at,
           coalesce(round(postage_minor * upto / whole_shipment) - round(postage_minor * (upto - weight) / whole_shipment), 0)
             as postage,
           case when postage_minor is null then 0 else
             coalesce(round(shipping_minor * order_upto / nullif(whole, 0))
               - round(shipping_minor * (order_upto - order_weight) / nullif(whole, 0)), 0) end as shipping
    from running
  ), kept as (
    select shipment_id, order_line_id, sum(postage_minor) as postage, sum(shipping_minor) as shipping
    from postage_entries where order_line_id in (select order_line_id from wanted) group by shipment_id, order_line_id
  )
  select w.shipment_id, w.order_line_id, w.postage - coalesce(k.postage, 0), w.shipping - coalesce(k.shipping, 0), w.updated_at
  from wanted w left join kept k on k.shipment_id = w.shipment_id and k.order_line_id = w.order_line_id
  where w.postage <> coalesce(k.postage, 0) or w.shipping <> coalesce(k.shipping, 0);
  return null;
end $$;
