-- in steps
-- Further events for people and channels. Each source has its own table, which only this version and later versions
-- read.

-- Owned by module orders: parcels that were sent.
create table shipped_orders (
  id bigint generated always as identity primary key,
  order_id uuid not null references orders (id) on delete cascade,
  shipment_id uuid not null references shipments (id) on delete cascade,
  at timestamptz not null
);
create index shipped_orders_of_order on shipped_orders (order_id);

create function note_shipped_order() returns trigger language plpgsql as $$
begin
  insert into shipped_orders (order_id, shipment_id, at) values (new.order_id, new.id, new.created_at);
  return null;
end $$;
create trigger shipments_sent_noted after insert on shipments
  for each row execute function note_shipped_order();

-- Owned by module print-queue: completed print jobs, and printers that reported an error.
create table finished_print_jobs (
  id bigint generated always as identity primary key,
  print_job_id uuid not null references print_jobs (id) on delete cascade,
  finished_at timestamptz not null
);
create index finished_print_jobs_of_job on finished_print_jobs (print_job_id);

create function note_finished_print_job() returns trigger language plpgsql as $$
begin
  insert into finished_print_jobs (print_job_id, finished_at) values (new.id, new.finished_at);
  return null;
end $$;
create trigger print_jobs_completion_noted after update of status on print_jobs for each row
  when (old.status <> 'completed' and new.status = 'completed' and new.deleted_at is null)
  execute function note_finished_print_job();

create table printer_errors (
  id bigint generated always as identity primary key,
  printer_id uuid not null references printers (id) on delete cascade,
  reason text,
  at timestamptz not null
);
create index printer_errors_of_printer on printer_errors (printer_id);

create function note_printer_error() returns trigger language plpgsql as $$
begin
  insert into printer_errors (printer_id, reason, at) values (new.id, new.state_reason, new.updated_at);
  return null;
end $$;
create trigger printers_error_noted after update of state on printers for each row
  when (old.state <> 'error' and new.state = 'error' and new.deleted_at is null)
  execute function note_printer_error();

-- Owned by module filament: materials and colors, in lower case, if the unfinished print jobs need more of them than
-- the stock contains. A row is inserted when the need exceeds the stock, and deleted when it no longer does. So each
-- shortage is reported once.
create table short_filaments (
  material text not null,
  color text not null,
  crossed_at timestamptz not null,
  primary key (material, color)
);

-- Owned by module alerts.
alter table alerts drop constraint alerts_kind, add constraint alerts_kind check (kind in (
  'low_stock', 'low_filament', 'filament_short', 'job_finished', 'job_failed', 'printer_error', 'publication_failed',
  'new_order', 'order_overdue', 'order_shipped', 'order_cancelled', 'backup_failed')) not valid;
alter table alerts validate constraint alerts_kind;

-- Owned by module channels: external addresses to which events are sent.
create table channels (
  id uuid primary key,
  name text not null constraint channels_name_length check (length(name) between 1 and 100),
  kind text not null constraint channels_kind check (kind in ('webhook', 'slack', 'discord', 'ntfy')),
  -- Encrypted, because anybody who knows the address of a chat can send messages to it.
  address_sealed text not null,
  -- The part of the address that may be shown.
  shown_address text not null,
  -- The key that signs webhooks, or the access token of ntfy, encrypted.
  key_sealed text,
  -- The key before the last rotation. It also signs webhooks until this time.
  old_key_sealed text,
  old_key_until timestamptz,
  events text[] not null,
  is_enabled boolean not null default true,
  -- The reason why the server disabled the channel.
  disabled_reason text,
  -- Times of day such as 22:00, in the time zone. If the end is before the start, the quiet hours continue after
  -- midnight.
  quiet_from text,
  quiet_until text,
  time_zone text not null default 'UTC',
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint channels_quiet_hours check ((quiet_from is null) = (quiet_until is null)),
  constraint channels_old_key check ((old_key_sealed is null) = (old_key_until is null))
);
create index channels_newest on channels (created_at desc, id desc);

-- One event for one channel. The id is sent with every attempt, so that the receiver recognizes repetitions.
create table channel_deliveries (
  id uuid primary key,
  channel_id uuid not null references channels (id) on delete cascade,
  event text not null,
  content jsonb not null,
  state text not null constraint channel_deliveries_state check (state in ('waiting', 'delivered', 'failed')),
  -- The number of all attempts, and the number of attempts since the last replay.
  attempts integer not null default 0,
  tries integer not null default 0,
  next_attempt_at timestamptz,
  created_at timestamptz not null,
  finished_at timestamptz,
  constraint channel_deliveries_waiting check ((next_attempt_at is not null) = (state = 'waiting'))
);
create index channel_deliveries_due on channel_deliveries (channel_id, next_attempt_at) where state = 'waiting';
create index channel_deliveries_log on channel_deliveries (channel_id, created_at desc, id desc);
create index channel_deliveries_age on channel_deliveries (created_at);

create table channel_attempts (
  delivery_id uuid not null references channel_deliveries (id) on delete cascade,
  number integer not null,
  at timestamptz not null,
  -- Null if there was no response, so that times do not reveal which addresses exist.
  duration_ms integer,
  -- The HTTP status. Null if there was no response.
  status integer,
  -- The reason for the failure, as a text.
  note text,
  primary key (delivery_id, number)
);
