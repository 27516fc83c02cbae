-- Owned by module print-queue: the schedule, and printers that the planner may use without a person.

alter table printers
  -- True if the server starts planned jobs on the printer that nobody has assigned. Otherwise it starts only jobs that
  -- are assigned to the printer.
  add column takes_jobs boolean not null default false;

-- The planner's schedule: a printer and a time for each print. It is computed again after every change.
create table planned_prints (
  printer_id uuid not null references printers (id) on delete cascade,
  -- The position in the day of the printer, from 1.
  n integer not null,
  print_job_id uuid not null references print_jobs (id) on delete cascade,
  plates integer not null,
  pieces integer not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  is_running boolean not null,
  -- True if the duration is unknown and was estimated.
  is_guess boolean not null,
  -- The spool that must be loaded before the print.
  spool_id uuid references spools (id) on delete cascade,
  primary key (printer_id, n)
);
create index planned_prints_of_job on planned_prints (print_job_id);
create index planned_prints_of_spool on planned_prints (spool_id) where spool_id is not null;
