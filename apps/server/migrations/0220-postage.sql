-- in steps
-- Owned by module orders: the postage that the shop paid for a parcel, and the parcel's share of the shipping that the
-- customer paid. Null: unknown (record 72).
alter table shipments add column postage_minor bigint;
alter table shipments add constraint shipments_postage check (postage_minor >= 0) not valid;
alter table shipments validate constraint shipments_postage;

-- The postage of each line of a shipment, and the shipping that the customer paid for it. A later change adds a row
-- with the difference, so that the report of a finished month stays the same. The rows are deleted if their shipment is
-- undone.
create table postage_entries (
  id uuid primary key default gen_random_uuid(),
  shipment_id uuid not null,
  order_line_id uuid not null,
  postage_minor bigint not null,
  shipping_minor bigint not null,
  created_at timestamptz not null,
  constraint postage_entries_line foreign key (shipment_id, order_line_id)
    references shipment_lines (shipment_id, order_line_id) on delete cascade
);
create index postage_entries_of_line on postage_entries (order_line_id, shipment_id);
create index postage_entries_by_time on postage_entries (created_at);

-- Adds missing entries of an order. The postage of a shipment is shared among its lines by value. A shipment with known
-- postage gets its share by value in the shipping of the order: in an ended order by the shipped pieces, otherwise by
-- the ordered pieces. The trigger runs at the end of the transaction, when the shipments and their lines are stored.
create function keep_postage() returns trigger language plpgsql as $$
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
           coalesce(o.shipping_minor, 0) as shipping_minor, o.updated_at,
           sum(p.weight) over in_shipment as upto, sum(p.weight) over (partition by p.shipment_id) as whole_shipment,
           sum(p.order_weight) over in_order as order_upto
    from parts p join orders o on o.id = new.id
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

-- Each change of an order or of its shipments changes the revision of the order.
create constraint trigger orders_postage after update of revision on orders
  deferrable initially deferred for each row
  when (old.revision <> new.revision)
  execute function keep_postage();
