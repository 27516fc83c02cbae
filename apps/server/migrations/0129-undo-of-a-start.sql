-- Owned by module print-queue: the values that the start of a plate replaced, so that the start can be undone. Null for
-- plates that were started without choosing a spool.
alter table job_plates add column before_start jsonb;
