-- Owned by module filament: materials and colours that are low, in lower case. A row comes when one goes down to its
-- threshold and goes when there is more again, so each crossing is one row, which is told once.
create table low_filaments (
  material text not null,
  color text not null,
  crossed_at timestamptz not null,
  primary key (material, color)
);
-- What is low already is no news.
insert into low_filaments (material, color, crossed_at)
select lower(f.material), lower(f.color), now()
from spools s
join filaments f on f.id = s.filament_id
where s.deleted_at is null
group by lower(f.material), lower(f.color)
having coalesce(sum(s.remaining_grams) filter (where s.archived_at is null), 0) <= max(f.low_stock_grams);

-- Owned by module print-queue: jobs that have failed since anybody was told, one row for each time. Written by the
-- database, so that no way of failing can forget it.
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

-- Owned by module products: products that did not get to the main site. The row stays until one publication succeeds,
-- so that ten tries in vain are one failure.
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

-- Owned by module alerts: what people were told of, and who.

create table alerts (
  id uuid primary key,
  kind text not null constraint alerts_kind
    check (kind in ('low_stock', 'low_filament', 'job_failed', 'publication_failed')),
  -- The item, print job or product; a material and colour has no id.
  entity_id uuid,
  title text not null,
  facts jsonb not null,
  created_at timestamptz not null
);
create index alerts_age on alerts (created_at);

create table alert_deliveries (
  alert_id uuid not null references alerts (id) on delete cascade,
  account_id uuid not null references accounts (id),
  -- That of the alert: inboxes are read in this order.
  created_at timestamptz not null,
  in_app boolean not null,
  read_at timestamptz,
  is_mail_due boolean not null,
  primary key (alert_id, account_id)
);
create index alert_deliveries_inbox on alert_deliveries (account_id, created_at desc, alert_id desc) where in_app;
create index alert_deliveries_unread on alert_deliveries (account_id) where in_app and read_at is null;
create index alert_deliveries_mail on alert_deliveries (account_id) where is_mail_due;

-- What somebody wants to be told of, `{"low_stock": {"in_app": true, "by_mail": false}}`; kinds that are not named are as
-- usual for the role.
create table alert_preferences (
  account_id uuid primary key references accounts (id),
  choices jsonb not null,
  revision integer not null default 1,
  updated_at timestamptz not null
);

-- When somebody was last sent a mail of alerts, so that a bad hour is a few mails.
create table alert_mail_turns (
  account_id uuid primary key references accounts (id),
  sent_at timestamptz not null
);
