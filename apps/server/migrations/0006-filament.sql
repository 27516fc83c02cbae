-- Owned by module filament. A filament is a product on the market, and a spool is one physical roll of it. The numbers
-- are the ids of the Spoolman-compatible interface. Names and limits also follow that interface.

create table vendors (
  id uuid primary key,
  number bigint generated always as identity constraint vendors_number_key unique,
  name text not null constraint vendors_name_length check (length(name) between 1 and 64),
  spool_weight_grams numeric(10, 2) check (spool_weight_grams >= 0),
  comment text,
  external_id text,
  extra jsonb not null default '{}',
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz
);
create unique index vendors_name_key on vendors (lower(name)) where deleted_at is null;

create table filaments (
  id uuid primary key,
  number bigint generated always as identity constraint filaments_number_key unique,
  vendor_id uuid references vendors (id),
  name text not null constraint filaments_name_length check (length(name) between 1 and 64),
  material text not null constraint filaments_material_length check (length(material) between 1 and 64),
  color text not null default '',
  color_hex text constraint filaments_color_hex check (color_hex ~ '^[0-9A-F]{6}([0-9A-F]{2})?$'),
  multi_color_hexes text[],
  multi_color_direction text constraint filaments_multi_color_direction
    check (multi_color_direction in ('coaxial', 'longitudinal')),
  diameter_mm numeric(5, 3) not null default 1.75 constraint filaments_diameter check (diameter_mm > 0),
  density_g_cm3 numeric(6, 3) not null constraint filaments_density check (density_g_cm3 > 0),
  -- The net weight of a full spool, and the weight of the empty spool.
  weight_grams numeric(10, 2) not null constraint filaments_weight check (weight_grams > 0),
  spool_weight_grams numeric(10, 2) constraint filaments_spool_weight check (spool_weight_grams >= 0),
  price_minor bigint constraint filaments_price check (price_minor >= 0),
  nozzle_temp_c integer,
  bed_temp_c integer,
  -- The alert threshold for the sum of all spools of this filament. Null: no alert.
  low_stock_grams numeric(10, 2) constraint filaments_low_stock check (low_stock_grams >= 0),
  drying_interval_days integer constraint filaments_drying_interval check (drying_interval_days > 0),
  article_number text,
  external_id text,
  comment text,
  extra jsonb not null default '{}',
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz
);
create unique index filaments_identity_key on filaments
  (vendor_id, lower(material), lower(name), lower(color), diameter_mm, weight_grams) nulls not distinct
  where deleted_at is null;
create index filaments_material on filaments (lower(material)) where deleted_at is null;

create table spools (
  id uuid primary key,
  number bigint generated always as identity constraint spools_number_key unique,
  label_code text generated always as (label_code('S', number, 4)) stored,
  filament_id uuid not null references filaments (id),
  -- The weight of this spool when it is full, and its empty weight if that differs from the filament's.
  weight_grams numeric(10, 2) not null constraint spools_weight check (weight_grams > 0),
  spool_weight_grams numeric(10, 2) constraint spools_spool_weight check (spool_weight_grams >= 0),
  -- The sum of the ledger entries. Only a new entry changes it.
  remaining_grams numeric(10, 2) not null default 0
    constraint spools_remaining_limits check (remaining_grams between 0 and 1000000),
  -- The price that was paid for this spool. It has priority over the price of the filament.
  price_minor bigint constraint spools_price check (price_minor >= 0),
  location_id uuid references locations (id),
  lot_number text constraint spools_lot_length check (length(lot_number) <= 64),
  tag_uid text,
  opened_at timestamptz,
  last_used_at timestamptz,
  dried_at timestamptz,
  archived_at timestamptz,
  status text generated always as (
    case when archived_at is not null then 'archived'
         when remaining_grams = 0 then 'empty'
         when remaining_grams * 10 <= weight_grams then 'low'
         else 'active' end
  ) stored,
  notes text,
  extra jsonb not null default '{}',
  label_printed_at timestamptz,
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz
);
create unique index spools_label_code_key on spools (label_code);
create unique index spools_tag_key on spools (tag_uid) where deleted_at is null;
create index spools_newest on spools (created_at desc, id desc) where deleted_at is null;
create index spools_by_status on spools (status, created_at desc, id desc) where deleted_at is null;
create index spools_filament on spools (filament_id) where deleted_at is null;
create index spools_location on spools (location_id) where deleted_at is null;

-- The public view of spools. It includes the trash.
create view stock_spools as
select s.id, s.label_code, f.material, f.name, f.color, f.color_hex, s.remaining_grams, s.status, s.deleted_at
from spools s
join filaments f on f.id = s.filament_id;

create table spool_ledger (
  id uuid primary key,
  spool_id uuid not null references spools (id),
  kind text not null constraint spool_ledger_kind check (kind in ('open', 'use', 'weigh', 'correct', 'waste')),
  delta_grams numeric(10, 2) not null,
  -- The trigger computes both columns. Given values are ignored.
  before_grams numeric(10, 2) not null,
  after_grams numeric(10, 2) not null,
  -- The reported weight, if it was more than the spool contained.
  reported_grams numeric(10, 2),
  length_mm numeric(12, 2),
  gross_grams numeric(10, 2),
  reason text,
  print_job_id uuid,
  -- A repeated report is booked once.
  external_id text constraint spool_ledger_external_key unique,
  undoes_id uuid references spool_ledger (id) constraint spool_ledger_undone_once unique,
  actor_kind text not null constraint spool_ledger_actor_kind check (actor_kind in ('user', 'api_key', 'system')),
  actor_id uuid,
  actor_name text not null,
  created_at timestamptz not null,
  constraint spool_ledger_direction check (
    case kind when 'open' then delta_grams >= 0 when 'use' then delta_grams <= 0
              when 'waste' then delta_grams <= 0 else true end)
);
create index spool_ledger_of_spool on spool_ledger (spool_id, created_at desc, id desc);
create index spool_ledger_of_job on spool_ledger (print_job_id) where print_job_id is not null;
create unique index spool_ledger_opened_once on spool_ledger (spool_id) where kind = 'open';

-- The same rule as for items: a spool starts with 0 g, and only ledger entries change its weight.
create function apply_spool_entry() returns trigger language plpgsql as $$
begin
  update spools
  set remaining_grams = remaining_grams + new.delta_grams,
      opened_at = case when new.kind = 'use' then coalesce(opened_at, new.created_at) else opened_at end,
      last_used_at = case when new.kind = 'use' then greatest(last_used_at, new.created_at) else last_used_at end,
      revision = revision + 1,
      updated_at = greatest(updated_at, new.created_at)
  where id = new.spool_id
  returning remaining_grams into new.after_grams;
  if not found then
    raise exception 'there is no such spool' using errcode = '23503', constraint = 'spool_ledger_spool_id_fkey';
  end if;
  new.before_grams := new.after_grams - new.delta_grams;
  return new;
end $$;
create trigger spool_ledger_apply before insert on spool_ledger for each row execute function apply_spool_entry();
create trigger spool_ledger_stays before update or delete on spool_ledger
  for each row execute function refuse_change();
create trigger spool_ledger_stays_all before truncate on spool_ledger
  for each statement execute function refuse_change();

create function guard_spool_remaining() returns trigger language plpgsql as $$
begin
  if pg_trigger_depth() < 2 and (tg_op = 'INSERT' and new.remaining_grams <> 0
      or tg_op = 'UPDATE' and new.remaining_grams is distinct from old.remaining_grams)
  then
    raise exception 'what is left on a spool changes by its ledger only' using errcode = '23000';
  end if;
  return new;
end $$;
create trigger spools_remaining_guard before insert or update of remaining_grams on spools
  for each row execute function guard_spool_remaining();
