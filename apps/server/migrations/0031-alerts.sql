-- Owned by module filament: low materials and colors, in lower case. A row is inserted when the stock falls to the
-- threshold, and deleted when it rises above it. So each crossing has one row and is reported once.
create table low_filaments (
  material text not null,
  color text not null,
  crossed_at timestamptz not null,
  primary key (material, color)
);
-- Filament that is already low causes no alert.
insert into low_filaments (material, color, crossed_at)
select lower(f.material), lower(f.color), now()
from spools s
join filaments f on f.id = s.filament_id
where s.deleted_at is null
group by lower(f.material), lower(f.color)
having coalesce(sum(s.remaining_grams) filter (where s.archived_at is null), 0) <= max(f.low_stock_grams);

-- Owned by module print-queue: failed jobs that have not been reported yet, one row for each failure. A trigger writes
-- them, so that they are complete whichever statement sets the status.
create table failed_print_jobs (
  id bigint generated always as identity primary key,
  print_job_id uuid not null references print_jobs (id) on delete cascade,
  reason text,
  failed_at timestamptz not null
);
create index failed_print_jobs_of_job on failed_print_jobs (print_job_id);

create function note_failed_print_job() returns trigger language plpgsql as $$
begin
  insert into failed_print_jobs (print_job_id, reason, failed_at) values (new.id, new.failure_reason, new.finished_at);
  return null;
end $$;
create trigger print_jobs_failure_noted after update of status on print_jobs for each row
  when (old.status <> 'failed' and new.status = 'failed' and new.deleted_at is null)
  execute function note_failed_print_job();

-- Owned by module products: products that could not be published. A row stays until a publication succeeds, so that ten
-- failed attempts cause one alert.
create table failed_publications (
  product_id uuid primary key references products (id) on delete cascade,
  reason text,
  failed_at timestamptz not null,
  is_taken boolean not null default false
);
create index failed_publications_new on failed_publications (failed_at) where not is_taken;

create function note_publication() returns trigger language plpgsql as $$
begin
  if new.status = 'published' then
    delete from failed_publications where product_id = new.product_id;
  else
    insert into failed_publications (product_id, reason, failed_at)
    values (new.product_id, new.response_text, new.finished_at)
    on conflict (product_id) do nothing;
  end if;
  return null;
end $$;
create trigger publications_noted after update of status on publications for each row
  when (old.status <> new.status and new.status in ('published', 'failed'))
  execute function note_publication();

-- Owned by module alerts: alerts, and the people who got them.

create table alerts (
  id uuid primary key,
  kind text not null constraint alerts_kind
    check (kind in ('low_stock', 'low_filament', 'job_failed', 'publication_failed')),
  -- The item, print job or product. Null for a material and color, which have no id.
  entity_id uuid,
  title text not null,
  facts jsonb not null,
  created_at timestamptz not null
);
create index alerts_age on alerts (created_at);

create table alert_deliveries (
  alert_id uuid not null references alerts (id) on delete cascade,
  account_id uuid not null references accounts (id),
  -- The time of the alert. Inboxes are read in this order.
  created_at timestamptz not null,
  in_app boolean not null,
  read_at timestamptz,
  is_mail_due boolean not null,
  primary key (alert_id, account_id)
);
create index alert_deliveries_inbox on alert_deliveries (account_id, created_at desc, alert_id desc) where in_app;
create index alert_deliveries_unread on alert_deliveries (account_id) where in_app and read_at is null;
create index alert_deliveries_mail on alert_deliveries (account_id) where is_mail_due;

-- The alerts that a person wants, such as `{"low_stock": {"in_app": true, "by_mail": false}}`. Other kinds follow the
-- default of the role.
create table alert_preferences (
  account_id uuid primary key references accounts (id),
  choices jsonb not null,
  revision integer not null default 1,
  updated_at timestamptz not null
);

-- The time of the last alert email to a person. Alerts are collected, so that many alerts in an hour cause few emails.
create table alert_mail_turns (
  account_id uuid primary key references accounts (id),
  sent_at timestamptz not null
);
