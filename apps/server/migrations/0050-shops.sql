-- Owned by module orders: what the shop and we have told each other.

alter table orders
  -- The shop's own moment of the change that we know. An older delivery that comes late changes nothing.
  add column source_changed_at timestamptz,
  -- Why a change of the shop could not be taken.
  add column shop_problem text;

alter table shipments
  -- When the shop was told of the parcel.
  add column told_at timestamptz,
  add column tell_attempts integer not null default 0,
  -- Not before this moment; an attempt that fails waits longer each time.
  add column tell_after timestamptz,
  add column tell_problem text;
create index shipments_to_tell on shipments (created_at) where notify_shop and told_at is null and undone_at is null;

-- How far the orders of a shop are known.
create table shop_syncs (
  url text primary key,
  -- Every change of the shop before this moment was looked at.
  known_until timestamptz not null
);

-- Owned by module inventory.
alter table items
  -- Pieces that a shop is not offered.
  add column safety_stock integer not null default 0
    constraint items_safety_stock check (safety_stock between 0 and 1000000000);

-- Owned by module products: the stock of an item that a site was told last, for each published product.
create table sent_stocks (
  product_id uuid primary key references products (id) on delete cascade,
  target text not null,
  stock integer not null,
  sent_at timestamptz not null
);

-- The published face of stock, with what a shop may be offered of it.
create or replace view stock_items as
select i.id, i.name, i.sku, i.stl_file_id, i.material_used, i.color, i.color_hex, i.weight_grams, i.quantity,
       i.quantity - i.reserved_quantity as available_quantity, i.quantity <= i.reorder_point as is_low, i.deleted_at,
       i.safety_stock
from items i;

-- The published face of open orders: pieces that they still take from free stock.
create view needed_items as
select item_id, sum(needed_quantity)::bigint as quantity from order_lines where needed_quantity > 0 group by item_id;
