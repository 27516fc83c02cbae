-- Owned by module print-queue: the planner's day, and printers that it may use by itself.

alter table printers
  -- Whether the server sends it jobs that nobody assigned, as planned. Otherwise it prints only jobs that wait for it.
  add column takes_jobs boolean not null default false;

-- Which printer prints what and when, as the planner sees it. It is worked out anew whenever something changes.
create table planned_prints (
  printer_id uuid not null references printers (id) on delete cascade,
  -- The place in the day of its printer, from 1.
  n integer not null,
  print_job_id uuid not null references print_jobs (id) on delete cascade,
  plates integer not null,
  pieces integer not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  is_running boolean not null,
  -- Whether nobody told how long it takes.
  is_guess boolean not null,
  -- The spool that has to be loaded first.
  spool_id uuid references spools (id) on delete cascade,
  primary key (printer_id, n)
);
create index planned_prints_of_job on planned_prints (print_job_id);
create index planned_prints_of_spool on planned_prints (spool_id) where spool_id is not null;
