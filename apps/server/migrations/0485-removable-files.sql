-- in steps
-- The files that can still be removed from a printer. The table keeps files that were never sent, and files whose
-- removal was given up after five attempts. They must not be in the index, because each poll of a printer reads it.
create index concurrently plate_dispatches_removable on plate_dispatches (printer_id, closed_at)
  where removed_at is null and closed_at is not null and upload_begun_at is not null and removals < 5;

drop index concurrently if exists plate_dispatches_files;
