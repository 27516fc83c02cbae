-- Owned by module inventory: items in stock, their locations, and every change of their quantities.

-- Codes that people read, type and scan, such as `I-00042`. The function is immutable, because generated columns use
-- it.
create function label_code(prefix text, number bigint, digits integer) returns text
language sql immutable parallel safe
return prefix || '-' || lpad(number::text, greatest(digits, length(number::text)), '0');

-- Makes substring search fast if the server has pg_trgm. The search also works without it. A hosted project keeps its
-- extensions in another schema, so the function looks up the schema. The next files use the function, and the last of
-- them drops it.
create function create_search_index(index_name text, on_table text) returns void language plpgsql as $$
declare
  home text;
begin
  select n.nspname into home from pg_extension e join pg_namespace n on n.oid = e.extnamespace
  where e.extname = 'pg_trgm';
  if home is not null then
    execute format('create index %I on %I using gin (search_text %I.gin_trgm_ops) where deleted_at is null',
                   index_name, on_table, home);
  end if;
end $$;

-- For tables whose rows never change. A mistake is corrected by a further row.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'rows of % are never changed or removed', tg_table_name using errcode = '23000';
end $$;

-- The public view of module stl-library, for modules that show a model with their own rows. It includes models in the
-- trash, because items and jobs still refer to them.
create view library_models as
select f.id, f.title, f.license_type, f.sale_allowed, f.is_product, f.current_version_id, f.deleted_at,
       v.thumbnail_key is not null and f.deleted_at is null as has_picture
from stl_files f
join stl_versions v on v.id = f.current_version_id;

-- A tree: a place contains bins and other places. In the API, `location` is the path of the place, and `bin_location`
-- is the name of the bin.
create table locations (
  id uuid primary key,
  number bigint generated always as identity constraint locations_number_key unique,
  label_code text generated always as (label_code('L', number, 4)) stored,
  parent_id uuid references locations (id),
  kind text not null constraint locations_kind check (kind in ('place', 'bin')),
  name text not null constraint locations_name_length check (length(name) between 1 and 100),
  -- All names from the root to this location. The service updates the path when a place is renamed or moved. Without
  -- it, lists would have to read all ancestors of every row.
  path text not null,
  notes text,
  label_printed_at timestamptz,
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  constraint locations_not_in_itself check (parent_id <> id)
);
create unique index locations_name_key on locations (parent_id, kind, lower(name)) nulls not distinct
  where deleted_at is null;
create unique index locations_label_code_key on locations (label_code);

create sequence item_skus;

create table items (
  id uuid primary key,
  number bigint generated always as identity constraint items_number_key unique,
  label_code text generated always as (label_code('I', number, 5)) stored,
  name text not null constraint items_name_length check (length(name) between 1 and 200),
  sku text not null constraint items_sku_length check (length(sku) between 1 and 64),
  stl_file_id uuid references stl_files (id),
  -- The sums of the item's movements. Only a new movement changes them, see below.
  quantity integer not null default 0 constraint items_quantity_limits check (quantity between 0 and 1000000000),
  reserved_quantity integer not null default 0 constraint items_reserved_limits check (reserved_quantity >= 0),
  reorder_point integer not null constraint items_reorder_point_limits check (reorder_point between 0 and 1000000000),
  max_stock integer not null constraint items_max_stock_limits check (max_stock between 0 and 1000000000),
  -- A status that a person set. While it is null, the status follows from the quantity.
  held_status text constraint items_held_status check (held_status in ('On Hold', 'Reserved')),
  status text generated always as (
    coalesce(held_status, case when quantity = 0 then 'Out of Stock'
                               when quantity <= reorder_point then 'Low Stock'
                               else 'In Stock' end)
  ) stored,
  location_id uuid references locations (id),
  material_used text,
  color text,
  color_hex text constraint items_color_hex check (color_hex ~ '^[0-9A-F]{6}([0-9A-F]{2})?$'),
  print_settings text,
  print_time_minutes integer constraint items_print_time_limits check (print_time_minutes >= 0),
  -- The filament of one piece. The cost and the forecast are computed from it.
  weight_grams numeric(10, 2) constraint items_weight_limits check (weight_grams >= 0),
  pieces_per_print integer not null default 1 constraint items_pieces_per_print check (pieces_per_print >= 1),
  material_cost_minor bigint constraint items_material_cost_limits check (material_cost_minor >= 0),
  labor_cost_minor bigint constraint items_labor_cost_limits check (labor_cost_minor >= 0),
  selling_price_minor bigint constraint items_selling_price_limits check (selling_price_minor >= 0),
  -- The inputs and the sum of the last calculation. They explain an old cost after the settings have changed.
  cost_snapshot jsonb,
  notes text,
  label_printed_at timestamptz,
  search_text text generated always as (
    lower(name || ' ' || sku || ' ' || label_code('I', number, 5) || ' ' || coalesce(material_used, '') || ' '
          || coalesce(color, ''))
  ) stored,
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz
);
create unique index items_sku_key on items (upper(sku)) where deleted_at is null;
create unique index items_label_code_key on items (label_code);
create index items_newest on items (created_at desc, id desc) where deleted_at is null;
create index items_by_status on items (status, created_at desc, id desc) where deleted_at is null;
create index items_low_stock on items (created_at desc, id desc)
  where deleted_at is null and quantity <= reorder_point;
create index items_location on items (location_id) where deleted_at is null;
create index items_model on items (stl_file_id);
select create_search_index('items_search', 'items');

-- The public view of items. It includes the trash, so that jobs and orders still show the names of deleted items.
create view stock_items as
select i.id, i.name, i.sku, i.stl_file_id, i.material_used, i.color, i.color_hex, i.weight_grams, i.quantity,
       i.quantity - i.reserved_quantity as available_quantity, i.quantity <= i.reorder_point as is_low, i.deleted_at
from items i;

-- A movement is a change of an item's quantity or reserved quantity. Later files add the foreign keys of the documents,
-- because they create those tables.
create table movements (
  id uuid primary key,
  item_id uuid not null references items (id),
  kind text not null constraint movements_kind check (kind in (
    'receive', 'produce', 'ship', 'return', 'move', 'count', 'adjust', 'scrap', 'reserve', 'release')),
  delta integer not null,
  reserved_delta integer not null default 0,
  -- The trigger computes both columns. Given values are ignored.
  quantity_after integer not null,
  reserved_after integer not null,
  from_location_id uuid references locations (id),
  to_location_id uuid references locations (id),
  reason text,
  order_id uuid,
  print_job_id uuid,
  undoes_id uuid references movements (id) constraint movements_undone_once unique,
  actor_kind text not null constraint movements_actor_kind check (actor_kind in ('user', 'api_key', 'system')),
  actor_id uuid,
  -- The name at that time. A key can be deleted permanently later.
  actor_name text not null,
  created_at timestamptz not null,
  constraint movements_one_document check (num_nonnulls(order_id, print_job_id) <= 1),
  constraint movements_direction check (
    case kind
      when 'receive' then delta > 0 and reserved_delta = 0
      when 'produce' then delta > 0 and reserved_delta >= 0
      when 'return' then delta > 0 and reserved_delta >= 0
      when 'ship' then delta < 0 and reserved_delta <= 0
      when 'scrap' then delta < 0 and reserved_delta <= 0
      when 'move' then delta = 0 and reserved_delta = 0
      when 'count' then reserved_delta = 0
      when 'reserve' then delta = 0 and reserved_delta > 0
      when 'release' then delta = 0 and reserved_delta < 0
      else true
    end)
);
create index movements_of_item on movements (item_id, created_at desc, id desc);
create index movements_newest on movements (created_at, item_id) where delta <> 0;
create index movements_of_order on movements (order_id) where order_id is not null;
-- A finished print job adds its good pieces to the stock once, even if it is reported several times.
create unique index movements_produced_once on movements (print_job_id, item_id)
  where kind = 'produce' and print_job_id is not null;

-- The quantity is always the sum of the movements. An item starts with 0 pieces, only the trigger of the movements
-- changes its quantity, and movements never change. The trigger updates the item's row and so locks it: parallel
-- movements wait for each other, and each sees the current quantity. The check of the column refuses a movement that
-- would take too many pieces. A deferred check of the sum would have to read all movements at every commit. It would
-- also miss movements of parallel transactions.
create function apply_movement() returns trigger language plpgsql as $$
begin
  update items
  set quantity = quantity + new.delta,
      reserved_quantity = reserved_quantity + new.reserved_delta,
      revision = revision + 1,
      updated_at = greatest(updated_at, new.created_at)
  where id = new.item_id
  returning quantity, reserved_quantity into new.quantity_after, new.reserved_after;
  if not found then
    raise exception 'there is no such item' using errcode = '23503', constraint = 'movements_item_id_fkey';
  end if;
  -- Counting may find less than was promised; promising more than there is may not happen.
  if new.reserved_delta > 0 and new.reserved_after > new.quantity_after then
    raise exception 'not enough is free to be reserved'
      using errcode = '23514', constraint = 'items_reserve_only_what_is_free';
  end if;
  return new;
end $$;
create trigger movements_apply before insert on movements for each row execute function apply_movement();
create trigger movements_stay before update or delete on movements for each row execute function refuse_change();
create trigger movements_stay_all before truncate on movements for each statement execute function refuse_change();

create function guard_item_quantity() returns trigger language plpgsql as $$
begin
  -- Depth 1 is a statement of somebody's own; the journal's trigger comes at depth 2.
  if pg_trigger_depth() < 2 and (tg_op = 'INSERT' and (new.quantity <> 0 or new.reserved_quantity <> 0)
      or tg_op = 'UPDATE' and (new.quantity, new.reserved_quantity) is distinct from (old.quantity, old.reserved_quantity))
  then
    raise exception 'the quantity of an item changes by a movement only' using errcode = '23000';
  end if;
  return new;
end $$;
create trigger items_quantity_guard before insert or update of quantity, reserved_quantity on items
  for each row execute function guard_item_quantity();

-- The rates of the cost calculation. Each change adds a row, and the newest row is in force. Without a row, the
-- built-in defaults are in force. Rates smaller than a minor unit are given for a larger amount, so that they stay
-- whole numbers.
create table cost_settings (
  id uuid primary key,
  material_minor_per_kg bigint not null check (material_minor_per_kg >= 0),
  waste_percent numeric(5, 2) not null check (waste_percent between 0 and 100),
  printer_watts integer not null check (printer_watts >= 0),
  electricity_minor_per_mwh bigint not null check (electricity_minor_per_mwh >= 0),
  machine_minor_per_hour bigint not null check (machine_minor_per_hour >= 0),
  labor_minor_per_hour bigint not null check (labor_minor_per_hour >= 0),
  prepare_minutes_per_print numeric(7, 2) not null check (prepare_minutes_per_print >= 0),
  finish_minutes_per_piece numeric(7, 2) not null check (finish_minutes_per_piece >= 0),
  extras_minor_per_piece bigint not null check (extras_minor_per_piece >= 0),
  failure_percent numeric(5, 2) not null check (failure_percent >= 0 and failure_percent < 100),
  overhead_percent numeric(6, 2) not null check (overhead_percent >= 0),
  margin_percent numeric(5, 2) not null check (margin_percent >= 0 and margin_percent < 100),
  actor_kind text not null check (actor_kind in ('user', 'api_key', 'system')),
  actor_id uuid,
  actor_name text not null,
  created_at timestamptz not null
);
create index cost_settings_newest on cost_settings (created_at desc, id desc);
