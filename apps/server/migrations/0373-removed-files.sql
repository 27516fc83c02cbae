-- in steps
-- The time at which the file of a plate was removed from its printer. A failed removal is tried again after a pause,
-- and given up after a few attempts.
alter table plate_dispatches
  add column removed_at timestamptz,
  add column removals integer not null default 0,
  add column remove_after timestamptz;

create index concurrently plate_dispatches_files on plate_dispatches (printer_id, closed_at)
  where removed_at is null and closed_at is not null;
