-- Owned by module backups: the backups, and the time of the next one.
create table backup_runs (
  id uuid primary key,
  cause text not null constraint backup_runs_cause check (cause in ('person', 'schedule')),
  state text not null constraint backup_runs_state check (state in ('running', 'done', 'failed')),
  began_at timestamptz not null,
  ended_at timestamptz constraint backup_runs_ended check ((ended_at is null) = (state = 'running')),
  -- The name and the contents of the backup. Null until the backup is done.
  name text,
  rows bigint,
  files int,
  size_bytes bigint,
  -- The failure, as a sentence for the operator.
  failure text constraint backup_runs_failure check ((failure is not null) = (state = 'failed')),
  told_at timestamptz
);
-- Only one backup runs at a time.
create unique index backup_runs_one_running on backup_runs ((true)) where state = 'running';
create index backup_runs_newest on backup_runs (began_at desc, id desc);

create table backup_schedule (
  is_only boolean primary key default true constraint backup_schedule_one check (is_only),
  -- Null: no scheduled backups.
  every_hours int constraint backup_schedule_every check (every_hours between 1 and 720),
  keep int not null constraint backup_schedule_keep check (keep between 1 and 365),
  changed_at timestamptz not null,
  -- The time of the last alert that the last good backup is too old.
  told_late_at timestamptz
);
insert into backup_schedule (every_hours, keep, changed_at) values (null, 14, now());

-- Owned by module alerts.
alter table alerts drop constraint alerts_kind;
alter table alerts add constraint alerts_kind check (kind in (
  'low_stock', 'low_filament', 'job_failed', 'publication_failed', 'new_order', 'order_overdue', 'order_cancelled',
  'backup_failed'));
