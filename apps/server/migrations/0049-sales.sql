-- Owned by module orders: sold pieces with their cost on the day of the shipment, and returned pieces.

-- A line can be shipped in several parcels, so the cost is stored with the shipped pieces.
alter table order_lines drop column unit_cost_minor;
alter table shipment_lines
  -- Null if the cost of a piece was unknown.
  add column unit_cost_minor bigint constraint shipment_lines_unit_cost check (unit_cost_minor >= 0);
create index shipments_sold on shipments (created_at) where undone_at is null;

create table order_returns (
  id uuid primary key,
  order_line_id uuid not null references order_lines (id),
  quantity integer not null constraint order_returns_quantity check (quantity >= 1),
  -- `stock`: the pieces can be sold again. `scrap`: their cost is lost.
  destination text not null constraint order_returns_destination check (destination in ('stock', 'scrap')),
  reason text,
  -- The average cost of the pieces of the line when they were shipped.
  unit_cost_minor bigint constraint order_returns_unit_cost check (unit_cost_minor >= 0),
  created_at timestamptz not null
);
create index order_returns_of_line on order_returns (order_line_id);
create index order_returns_by_time on order_returns (created_at);

-- Adds the returns that were made before this table existed.
insert into order_returns (id, order_line_id, quantity, destination, reason, created_at)
select m.id, m.order_line_id, m.delta, 'stock', m.reason, m.created_at
from movements m join order_lines l on l.id = m.order_line_id
where m.kind = 'return' and m.delta > 0 and m.undoes_id is null;
