-- Owned by module orders: the earnings of each shipment and each return. They are stored at that time, like the cost,
-- so that later changes of the order do not change the report of a finished month (record 59).

-- A request locks the order before its shipments and returns. The migration does the same, so that the two cannot
-- deadlock.
-- may block: it holds this lock only while it adds columns and triggers.
lock table orders in exclusive mode;

alter table shipment_lines
  -- The price of the pieces minus their share of the discount. Null until it is computed, and for older shipments that
  -- were undone.
  add column revenue_minor bigint,
  add column discount_minor bigint,
  add column fee_minor bigint;
-- The amount that the return of the pieces subtracted from the revenue.
alter table order_returns add column revenue_minor bigint;

-- Changes of the discount and the fees after the pieces were shipped. They count in the month of the change. They are
-- deleted if their shipment is undone.
create table shipment_corrections (
  id uuid primary key default gen_random_uuid(),
  shipment_id uuid not null,
  order_line_id uuid not null,
  discount_minor bigint not null,
  fee_minor bigint not null,
  -- The refunded pieces of the ordered line at that time. The discount is for the other pieces.
  refunded_quantity integer not null,
  created_at timestamptz not null,
  constraint shipment_corrections_line foreign key (shipment_id, order_line_id)
    references shipment_lines (shipment_id, order_line_id) on delete cascade
);
create index shipment_corrections_of_line on shipment_corrections (order_line_id, shipment_id);
create index shipment_corrections_by_time on shipment_corrections (created_at);

-- The shipped pieces whose shipment was not undone, and their price (`value`). The price of a set is divided equally
-- among its pieces. `discount_minor` and `fee_minor` contain the corrections.
create view sold_pieces as
select s.order_id, p.shipment_id, p.order_line_id, coalesce(l.set_line_id, l.id) as ordered_line_id, s.created_at, p.quantity,
       coalesce(
         p.quantity * whole.unit_price_minor::numeric
           / (select sum(part.pieces_per_set) from order_lines part where part.set_line_id = whole.id),
         p.quantity * l.unit_price_minor::numeric
       ) as value,
       p.revenue_minor is not null as is_kept,
       p.revenue_minor - coalesce(c.discount_minor, 0) as revenue_minor,
       p.discount_minor + coalesce(c.discount_minor, 0) as discount_minor,
       p.fee_minor + coalesce(c.fee_minor, 0) as fee_minor
from shipments s
join shipment_lines p on p.shipment_id = s.id
join order_lines l on l.id = p.order_line_id
left join order_lines whole on whole.id = l.set_line_id
left join lateral (
  select sum(discount_minor) as discount_minor, sum(fee_minor) as fee_minor from shipment_corrections
  where shipment_id = p.shipment_id and order_line_id = p.order_line_id
) c on true
where s.undone_at is null;

-- The value of the ordered lines of some orders: of all their pieces, of the pieces that the shop refunded, and of the
-- shipped pieces with stored figures. `not_refunded` is the share of the latter that was not refunded. The discount of
-- an order is only for pieces that were not refunded. `discount` is the part that was stored for them. A correction was
-- given only to the pieces that were not refunded at that time, so only later refunds reduce it.
create function sold_lines(some_orders uuid[])
returns table (
  order_id uuid, order_line_id uuid, ordered numeric, refunded numeric, kept numeric, not_refunded numeric, gross numeric,
  discount numeric, fee numeric
) language sql stable as $$
  with pieces as (
    select * from sold_pieces where order_id = any (some_orders) and is_kept
  ), kept as (
    select ordered_line_id, sum(value) as value, sum(revenue_minor + discount_minor) as gross, sum(discount_minor) as discount,
           sum(fee_minor) as fee
    from pieces group by ordered_line_id
  ), corrected as (
    select p.ordered_line_id, sum(c.discount_minor) as discount,
           sum(c.discount_minor * least(1, coalesce(
             greatest(k.value - l.refunded_quantity * l.unit_price_minor::numeric, 0)
               / nullif(greatest(k.value - c.refunded_quantity * l.unit_price_minor::numeric, 0), 0), 0))) as not_refunded
    from pieces p
    join shipment_corrections c on c.shipment_id = p.shipment_id and c.order_line_id = p.order_line_id
    join kept k on k.ordered_line_id = p.ordered_line_id
    join order_lines l on l.id = p.ordered_line_id
    group by p.ordered_line_id
  ), of_lines as (
    select l.order_id, l.id, l.quantity * l.unit_price_minor::numeric as ordered,
           l.refunded_quantity * l.unit_price_minor::numeric as refunded, coalesce(k.value, 0) as kept,
           1 - coalesce(least(k.value, l.refunded_quantity * l.unit_price_minor::numeric) / nullif(k.value, 0), 0) as not_refunded,
           coalesce(k.gross, 0) as gross, coalesce(k.discount, 0) - coalesce(c.discount, 0) as shipped_discount,
           coalesce(c.not_refunded, 0) as corrected_discount, coalesce(k.fee, 0) as fee
    from order_lines l left join kept k on k.ordered_line_id = l.id left join corrected c on c.ordered_line_id = l.id
    where l.order_id = any (some_orders) and l.part_number = 0
  )
  select order_id, id, ordered, refunded, kept, not_refunded, gross, shipped_discount * not_refunded + corrected_discount, fee
  from of_lines
$$;

-- Computes the missing figures of shipped pieces. The discount and the fees are shared by value among the pieces that
-- have not been shipped yet, so that the last shipment gets the rest to the cent. In an ended order, these pieces get
-- all the fees.
create function earnings_to_keep(some_orders uuid[])
returns table (shipment_id uuid, order_line_id uuid, revenue_minor bigint, discount_minor bigint, fee_minor bigint)
language sql stable as $$
  with of_orders as (
    select o.id as order_id, o.status in ('completed', 'cancelled') as is_ended,
           coalesce(o.discount_minor, 0) - sum(l.discount) as discount,
           sum(l.ordered - l.refunded - l.kept * l.not_refunded) as discounted_value,
           coalesce(o.fee_minor, 0) - sum(l.fee) as fee, sum(l.ordered - l.kept) as value_to_ship,
           sum(l.kept) as kept, sum(l.gross) as kept_gross
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
    select shipment_id, order_line_id,
           round(kept + value) - case when is_first then kept_gross else round(kept + value_before) end as gross,
           coalesce(round(discount * value / nullif(discounted_value, 0))
             - round(discount * value_before / nullif(discounted_value, 0)), 0) as discount,
           case when is_ended and whole_value = 0
                  then round(fee * pieces / all_pieces) - round(fee * pieces_before / all_pieces)
                when is_ended then round(fee * value / whole_value) - round(fee * value_before / whole_value)
                else coalesce(round(fee * value / nullif(value_to_ship, 0))
                  - round(fee * value_before / nullif(value_to_ship, 0)), 0) end as fee
    from numbered
  )
  select shipment_id, order_line_id, (gross - discount)::bigint, discount::bigint, fee::bigint from shared
$$;

create function keep_earnings(some_orders uuid[]) returns void language sql as $$
  update shipment_lines p
  set revenue_minor = k.revenue_minor, discount_minor = k.discount_minor, fee_minor = k.fee_minor
  from earnings_to_keep(some_orders) k
  where p.shipment_id = k.shipment_id and p.order_line_id = k.order_line_id and p.revenue_minor is null
$$;

create function keep_earnings_of_shipments() returns trigger language plpgsql as $$
begin
  perform keep_earnings(array(select distinct s.order_id from added a join shipments s on s.id = a.shipment_id));
  return null;
end $$;
create trigger shipment_lines_earnings after insert on shipment_lines
  referencing new table as added for each statement execute function keep_earnings_of_shipments();

-- Computes the missing figures of returns: the average of the stored figures of the pieces of the line. Together, the
-- returns of all pieces of a line subtract exactly the stored figures.
create function returns_to_keep(some_lines uuid[])
returns table (id uuid, revenue_minor bigint) language sql stable as $$
  with shipped as (
    select order_line_id, sum(revenue_minor) as revenue, sum(quantity) as pieces
    from sold_pieces
    where order_id in (select order_id from order_lines where id = any (some_lines)) and order_line_id = any (some_lines)
    group by order_line_id
  ), earlier as (
    select order_line_id, sum(revenue_minor) as revenue, sum(quantity) as pieces
    from order_returns where order_line_id = any (some_lines) and revenue_minor is not null group by order_line_id
  ), numbered as (
    select r.id, r.quantity, sum(r.quantity) over so_far as upto, s.revenue - coalesce(e.revenue, 0) as revenue,
           nullif(s.pieces - coalesce(e.pieces, 0), 0) as pieces
    from order_returns r
    left join shipped s on s.order_line_id = r.order_line_id
    left join earlier e on e.order_line_id = r.order_line_id
    where r.order_line_id = any (some_lines) and r.revenue_minor is null
    window so_far as (partition by r.order_line_id order by r.created_at, r.id rows unbounded preceding)
  )
  select id, coalesce(round(revenue * upto / pieces) - round(revenue * (upto - quantity) / pieces), 0)::bigint from numbered
$$;

create function keep_revenue_of_returns() returns trigger language plpgsql as $$
declare
  lines uuid[] := array(select distinct order_line_id from added);
begin
  perform keep_earnings(array(select distinct order_id from order_lines where id = any (lines)));
  update order_returns r set revenue_minor = k.revenue_minor
  from returns_to_keep(lines) k where r.id = k.id and r.revenue_minor is null;
  return null;
end $$;
create trigger order_returns_revenue after insert on order_returns
  referencing new table as added for each statement execute function keep_revenue_of_returns();

-- Corrects the shipped pieces of an order when its discount or fees change after a shipment, and when the order ends:
-- - If no pieces are left to ship, the shipped pieces get the whole discount and all fees. If the order ends short,
-- they get all fees.
-- - While pieces are left, the shipped pieces get their share of the change, by value. If the new amount is smaller
-- than the stored amount, they give back the difference. The next shipments get the rest.
-- The discount is shared among the pieces that were not refunded. The trigger runs at the end of the transaction, when
-- the shipment that ends an order is stored.
create function correct_earnings() returns trigger language plpgsql as $$
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
create constraint trigger orders_corrected after update of status, discount_minor, fee_minor on orders
  deferrable initially deferred for each row
  when (
    old.discount_minor is distinct from new.discount_minor or old.fee_minor is distinct from new.fee_minor
    or (old.status not in ('completed', 'cancelled') and new.status in ('completed', 'cancelled'))
  )
  execute function correct_earnings();
