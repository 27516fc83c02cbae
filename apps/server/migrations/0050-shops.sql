-- Owned by module orders: the exchange with shops.

alter table orders
  -- The shop's own time of the last change that was received. An older change that arrives late is ignored.
  add column source_changed_at timestamptz,
  -- The reason why a change by the shop was refused.
  add column shop_problem text;

alter table shipments
  -- The time at which the shipment was reported to the shop.
  add column told_at timestamptz,
  add column tell_attempts integer not null default 0,
  -- The earliest time of the next attempt. The time between failed attempts increases.
  add column tell_after timestamptz,
  add column tell_problem text;
create index shipments_to_tell on shipments (created_at) where notify_shop and told_at is null and undone_at is null;

-- The progress of reading the orders of each shop.
create table shop_syncs (
  url text primary key,
  -- All changes at the shop before this time have been read.
  known_until timestamptz not null
);

-- Owned by module inventory.
alter table items
  -- Pieces that are not offered to the shop.
  add column safety_stock integer not null default 0
    constraint items_safety_stock check (safety_stock between 0 and 1000000000);

-- Owned by module products: the stock that was last sent to a site, for each published product.
create table sent_stocks (
  product_id uuid primary key references products (id) on delete cascade,
  target text not null,
  stock integer not null,
  sent_at timestamptz not null
);

-- The public view of the stock, with the pieces that a shop may be offered.
create or replace view stock_items as
select i.id, i.name, i.sku, i.stl_file_id, i.material_used, i.color, i.color_hex, i.weight_grams, i.quantity,
       i.quantity - i.reserved_quantity as available_quantity, i.quantity <= i.reorder_point as is_low, i.deleted_at,
       i.safety_stock
from items i;

-- The public view of open orders: the pieces that they still take from free stock.
create view needed_items as
select item_id, sum(needed_quantity)::bigint as quantity from order_lines where needed_quantity > 0 group by item_id;
