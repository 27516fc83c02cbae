-- in steps
-- Owned by module backups: a backup made by `npm run backup` is listed as well.
alter table backup_runs drop constraint if exists backup_runs_cause;
alter table backup_runs add constraint backup_runs_cause
  check (cause in ('person', 'schedule', 'command')) not valid;
alter table backup_runs validate constraint backup_runs_cause;
