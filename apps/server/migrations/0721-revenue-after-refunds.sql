-- Owned by module orders: a refund does not lower the revenue of an order below zero. The rest of the function is as before.
create or replace function correct_earnings() returns trigger language plpgsql as $$
declare
  discount_more numeric;
  fee_more numeric;
begin
  if not exists (select from shipments where order_id = new.id and undone_at is null) then
    return null;
  end if;
  perform keep_earnings(array[new.id]);
  with of_order as (
    select coalesce(o.discount_minor, 0) - sum(l.discount) as discount_left,
           coalesce(sum(l.kept * l.not_refunded) / nullif(sum(l.ordered - l.refunded), 0), 0) as discount_share,
           coalesce(o.fee_minor, 0) - sum(l.fee) as fee_left,
           coalesce(sum(l.kept) / nullif(sum(l.ordered), 0), 0) as fee_share,
           o.status in ('completed', 'cancelled') as is_ended,
           round(sum(l.ordered - l.kept)) = 0 and sum(l.ordered) > 0 as is_whole
    from sold_lines(array[new.id]) l join orders o on o.id = l.order_id
    group by o.id
  )
  -- The discount of a line with refunded pieces can contain half a cent, which is not corrected.
  select case when is_whole then case when abs(discount_left) > 0.5 then round(discount_left) else 0 end
              when new.discount_minor is distinct from old.discount_minor
                then least(round((coalesce(new.discount_minor, 0) - coalesce(old.discount_minor, 0)) * discount_share),
                           round(discount_left))
              else 0 end,
         case when is_whole or is_ended then round(fee_left)
              when new.fee_minor is distinct from old.fee_minor
                then least(round((coalesce(new.fee_minor, 0) - coalesce(old.fee_minor, 0)) * fee_share), round(fee_left))
              else 0 end
  into discount_more, fee_more from of_order;
  -- A refund can be higher than what the pieces have brought, for example if some of them were returned before. Their
  -- revenue then ends at zero. A discount above the price of the pieces is also one on the shipping, so it counts below zero.
  discount_more := least(discount_more, greatest(0,
    coalesce((select sum(revenue_minor) from sold_pieces where order_id = new.id), 0)
    - coalesce((
        select sum(r.revenue_minor) from order_returns r join order_lines l on l.id = r.order_line_id
        where l.order_id = new.id and r.undone_at is null
      ), 0)
    + greatest(0, (
        select coalesce(o.discount_minor, 0) - sum((l.quantity - l.refunded_quantity) * l.unit_price_minor::numeric)
        from orders o join order_lines l on l.order_id = o.id and l.part_number = 0
        where o.id = new.id group by o.id
      ))
  ));
  if coalesce(discount_more, 0) = 0 and coalesce(fee_more, 0) = 0 then
    return null;
  end if;
  insert into shipment_corrections (shipment_id, order_line_id, discount_minor, fee_minor, refunded_quantity, created_at)
  select shipment_id, order_line_id, discount, fee, refunded_quantity, new.updated_at
  from (
    select shipment_id, order_line_id, refunded_quantity,
           coalesce(round(discount_more * upto_value / nullif(whole_value, 0))
             - round(discount_more * (upto_value - value) / nullif(whole_value, 0)), 0) as discount,
           round(fee_more * upto / whole) - round(fee_more * (upto - part) / whole) as fee
    from (
      select shipment_id, order_line_id, refunded_quantity, value, sum(value) over so_far as upto_value, sum(value) over () as whole_value,
             part, sum(part) over so_far as upto, sum(part) over () as whole
      from (
        select s.shipment_id, s.order_line_id, s.created_at, ordered.refunded_quantity, s.value * l.not_refunded as value,
               case when sum(s.value) over () = 0 then s.quantity else s.value end as part
        from sold_pieces s join sold_lines(array[new.id]) l on l.order_line_id = s.ordered_line_id
        join order_lines ordered on ordered.id = s.ordered_line_id
        where s.order_id = new.id
      ) parts
      window so_far as (order by created_at, shipment_id, order_line_id rows unbounded preceding)
    ) shares
  ) rounded
  where discount <> 0 or fee <> 0;
  return null;
end $$;
