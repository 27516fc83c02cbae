-- Owned by module orders: the purchases of customers in the shop.

create sequence order_numbers;

create table orders (
  id uuid primary key,
  order_number text not null constraint orders_number_length check (length(order_number) between 1 and 64),
  customer_name text not null default '' constraint orders_customer_length check (length(customer_name) <= 200),
  customer_email text,
  status text not null constraint orders_status
    check (status in ('pending', 'in_progress', 'completed', 'cancelled')),
  -- The amount that the customer pays. Because of discounts, shipping and tax, it can differ from the sum of the lines.
  total_minor bigint not null constraint orders_total check (total_minor >= 0),
  currency text not null constraint orders_currency check (currency ~ '^[A-Z]{3}$'),
  placed_at timestamptz not null,
  due_at timestamptz,
  -- The origin of the order: `main_site`, `integration`, `manual`, or the name of a connector.
  source text not null,
  external_id text,
  notes text,
  -- The received message. It contains values that have no column.
  received jsonb,
  search_text text generated always as (
    lower(order_number || ' ' || customer_name || ' ' || coalesce(external_id, ''))
  ) stored,
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz
);
create unique index orders_number_key on orders (order_number) where deleted_at is null;
create unique index orders_external_key on orders (source, external_id)
  where deleted_at is null and external_id is not null;
create index orders_newest on orders (placed_at desc, id desc) where deleted_at is null;
create index orders_by_status on orders (status, placed_at desc, id desc) where deleted_at is null;
-- The revenue of a period is read from this index alone.
create index orders_revenue on orders (currency, placed_at) include (total_minor)
  where deleted_at is null and status <> 'cancelled';
select create_search_index('orders_search', 'orders');

create table order_lines (
  id uuid primary key,
  order_id uuid not null references orders (id),
  position integer not null,
  external_line_id text,
  sku text not null default '',
  name text not null default '',
  quantity integer not null constraint order_lines_quantity check (quantity between 1 and 1000000000),
  unit_price_minor bigint not null constraint order_lines_price check (unit_price_minor >= 0),
  -- Null if the SKU matches no item.
  item_id uuid references items (id),
  -- The time at which a person decided to ignore the unknown SKU.
  ignored_at timestamptz,
  -- The cost of a piece at the time of the sale. Later costs do not change it.
  unit_cost_minor bigint constraint order_lines_cost check (unit_cost_minor >= 0),
  constraint order_lines_position_key unique (order_id, position)
);
create unique index order_lines_external_key on order_lines (order_id, external_line_id)
  where external_line_id is not null;
create index order_lines_item on order_lines (item_id) where item_id is not null;
create index order_lines_unknown_sku on order_lines (upper(sku)) where item_id is null and ignored_at is null;

-- The public view of orders.
create view placed_orders as
select o.id, o.order_number, o.customer_name, o.status, o.due_at, o.deleted_at from orders o;

alter table movements add constraint movements_order_fkey foreign key (order_id) references orders (id);

-- Owned by module print-queue: print jobs, printers, and the results of prints.

create table printers (
  id uuid primary key,
  number bigint generated always as identity constraint printers_number_key unique,
  name text not null constraint printers_name_length check (length(name) between 1 and 100),
  model text,
  state text not null default 'available' constraint printers_state
    check (state in ('available', 'needs_clearing', 'maintenance', 'offline')),
  state_reason text,
  state_until timestamptz,
  bed_mm jsonb,
  nozzle_mm numeric(4, 2),
  materials text[] not null default '{}',
  location_id uuid references locations (id),
  average_watts integer check (average_watts >= 0),
  machine_minor_per_hour bigint check (machine_minor_per_hour >= 0),
  external_id text,
  notes text,
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz
);
create unique index printers_name_key on printers (lower(name)) where deleted_at is null;

-- The steps between positions leave room to move a job between two others without renumbering.
create sequence print_job_positions increment by 1024;

create table print_jobs (
  id uuid primary key,
  number bigint generated always as identity constraint print_jobs_number_key unique,
  label_code text generated always as (label_code('J', number, 5)) stored,
  item_id uuid references items (id),
  stl_file_id uuid references stl_files (id),
  -- The version to print. A later version of the model does not change a queued job.
  stl_version_id uuid references stl_versions (id),
  quantity integer not null constraint print_jobs_quantity check (quantity between 1 and 1000000),
  -- It may exceed the quantity, because a plate can produce more pieces than needed.
  good_quantity integer not null default 0 constraint print_jobs_good check (good_quantity >= 0),
  rejected_quantity integer not null default 0 constraint print_jobs_rejected check (rejected_quantity >= 0),
  status text not null constraint print_jobs_status
    check (status in ('pending', 'in_progress', 'completed', 'cancelled', 'failed', 'on_hold')),
  priority smallint not null constraint print_jobs_priority check (priority between 1 and 99),
  position bigint not null default nextval('print_job_positions'),
  material text,
  color text,
  -- The chosen spool. The API calls it `filament_id`.
  spool_id uuid references spools (id),
  printer_id uuid references printers (id),
  agent text,
  attempt integer not null default 1 constraint print_jobs_attempt check (attempt >= 1),
  previous_job_id uuid references print_jobs (id),
  failure_reason text,
  hold_reason text,
  progress numeric(5, 4) not null default 0 constraint print_jobs_progress check (progress between 0 and 1),
  -- The estimate for all pieces of the job.
  estimated_grams numeric(10, 2) constraint print_jobs_estimated_grams check (estimated_grams >= 0),
  estimated_minutes integer constraint print_jobs_estimated_minutes check (estimated_minutes >= 0),
  used_grams numeric(10, 2) constraint print_jobs_used_grams check (used_grams >= 0),
  print_minutes integer constraint print_jobs_print_minutes check (print_minutes >= 0),
  order_id uuid references orders (id),
  order_line_id uuid references order_lines (id),
  due_at timestamptz,
  started_at timestamptz,
  finished_at timestamptz,
  notes text,
  -- The cost according to the settings of that day.
  cost_snapshot jsonb,
  -- The printer's id of the print. A repeated report does not create another job.
  external_id text,
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  constraint print_jobs_of_something check (num_nonnulls(item_id, stl_file_id) >= 1),
  constraint print_jobs_finished check ((finished_at is not null) = (status in ('completed', 'cancelled', 'failed'))),
  constraint print_jobs_external_key unique (printer_id, external_id)
);
create unique index print_jobs_label_code_key on print_jobs (label_code);
-- A job can be printed again once. A further attempt refers to that second job.
create unique index print_jobs_one_next_attempt on print_jobs (previous_job_id) where deleted_at is null;
create index print_jobs_queue on print_jobs (priority, position, created_at, id)
  where deleted_at is null and status in ('pending', 'in_progress', 'on_hold');
create index print_jobs_by_status on print_jobs (status, priority, position, created_at, id)
  where deleted_at is null;
create index print_jobs_finished_at on print_jobs (finished_at desc, id desc)
  where deleted_at is null and finished_at is not null;
create index print_jobs_item on print_jobs (item_id) where deleted_at is null;
create index print_jobs_model on print_jobs (stl_file_id) where deleted_at is null;
create index print_jobs_order on print_jobs (order_id) where deleted_at is null;
create index print_jobs_spool on print_jobs (spool_id) where deleted_at is null;

-- The public view of the queue, for modules whose stock the jobs will use. It contains what is still to be printed of
-- each job.
create view print_demand as
select j.id, j.item_id, j.order_id, j.spool_id, j.status, coalesce(j.material, f.material) as material, j.color,
       coalesce(j.estimated_grams, 0) * (1 - j.progress) as needed_grams
from print_jobs j
left join spools s on s.id = j.spool_id
left join filaments f on f.id = s.filament_id
where j.deleted_at is null and j.status in ('pending', 'in_progress', 'on_hold');

create table job_transitions (
  id uuid primary key,
  print_job_id uuid not null references print_jobs (id),
  from_status text,
  to_status text not null,
  reason text,
  good_quantity integer,
  rejected_quantity integer,
  actor_kind text not null constraint job_transitions_actor_kind
    check (actor_kind in ('user', 'api_key', 'system')),
  actor_id uuid,
  actor_name text not null,
  created_at timestamptz not null
);
create index job_transitions_of_job on job_transitions (print_job_id, created_at, id);
create trigger job_transitions_stay before update or delete on job_transitions
  for each row execute function refuse_change();

-- The claims of agents. A job has at most one row, so a claim succeeds if its row can be inserted.
create table leases (
  print_job_id uuid primary key references print_jobs (id),
  id uuid not null constraint leases_id_key unique,
  agent text not null,
  api_key_id uuid,
  claimed_at timestamptz not null,
  renewed_at timestamptz not null,
  expires_at timestamptz not null
);
create index leases_expiry on leases (expires_at);

alter table movements
  add constraint movements_print_job_fkey foreign key (print_job_id) references print_jobs (id);
alter table spool_ledger
  add constraint spool_ledger_print_job_fkey foreign key (print_job_id) references print_jobs (id);
