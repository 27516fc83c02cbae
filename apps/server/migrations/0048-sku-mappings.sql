-- Owned by module orders: SKUs that no item has, and the items that they stand for. A mapping is used for open orders
-- at once, and for later orders.

create table sku_mappings (
  -- In capitals, because SKUs are compared without regard to case.
  sku text primary key constraint sku_mappings_sku check (sku = upper(sku) and sku <> ''),
  -- True if the SKU is ignored. Its lines take nothing from the stock.
  is_ignored boolean not null,
  actor_kind text not null constraint sku_mappings_actor_kind check (actor_kind in ('user', 'api_key', 'system')),
  actor_id uuid,
  actor_name text not null,
  updated_at timestamptz not null
);

create table sku_mapping_items (
  sku text not null references sku_mappings (sku) on delete cascade,
  item_id uuid not null references items (id),
  position smallint not null,
  -- The number of pieces of the item in one piece of the SKU.
  quantity integer not null constraint sku_mapping_items_quantity check (quantity between 1 and 1000),
  primary key (sku, item_id)
);
create index sku_mapping_items_item on sku_mapping_items (item_id);

-- A line whose SKU stands for several pieces is a set. Its parts are lines with items, at the position of the set.
alter table order_lines
  add column is_set boolean not null default false,
  add column set_line_id uuid references order_lines (id) on delete cascade,
  -- 0 is the ordered line. Its parts are numbered from 1.
  add column part_number smallint not null default 0,
  add column pieces_per_set integer constraint order_lines_pieces_per_set check (pieces_per_set >= 1),
  -- The time of the mapping that the line follows.
  add column mapped_at timestamptz,
  add constraint order_lines_part check ((part_number > 0) = (set_line_id is not null) and (part_number > 0) = (pieces_per_set is not null)),
  drop constraint order_lines_position_key,
  add constraint order_lines_position_key unique (order_id, position, part_number),
  drop column needed_quantity;
alter table order_lines
  add column needed_quantity integer not null generated always as (
    case when is_open and ignored_at is null and not is_set
         then greatest(0, quantity - shipped_quantity - reserved_quantity) else 0 end
  ) stored;
create index order_lines_needing on order_lines (item_id) where needed_quantity > 0;
create index order_lines_parts on order_lines (set_line_id) where set_line_id is not null;
drop index order_lines_unknown_sku;
create index order_lines_unknown_sku on order_lines (upper(sku))
  where item_id is null and ignored_at is null and not is_set;

create or replace function advance_order(an_order uuid, is_taken_back boolean, moment timestamptz) returns void
language plpgsql as $$
declare
  is_shipped boolean;
  is_begun boolean;
  next_status text;
begin
  select bool_and(shipped_quantity >= quantity or ignored_at is not null or is_set) and bool_or(shipped_quantity > 0),
         bool_or(shipped_quantity > 0 or reserved_quantity > 0)
  into is_shipped, is_begun from order_lines where order_id = an_order;
  select case when status in ('pending', 'in_progress') and is_shipped then 'completed'
              when status = 'pending' and is_begun then 'in_progress'
              when status = 'completed' and is_taken_back then 'in_progress' end
  into next_status from orders where id = an_order for update;
  if next_status is not null then
    update orders set status = next_status, revision = revision + 1, updated_at = moment where id = an_order;
  end if;
end $$;

create or replace function match_unknown_skus() returns trigger language plpgsql as $$
begin
  update order_lines set item_id = new.id
  where item_id is null and ignored_at is null and not is_set and upper(sku) = upper(new.sku) and sku <> ''
    and order_id in (select id from orders where status not in ('completed', 'cancelled') and deleted_at is null);
  return null;
end $$;
