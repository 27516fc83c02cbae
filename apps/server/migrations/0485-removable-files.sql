-- in steps
-- The files that a printer can still remove. Files that were never sent, and files whose removal was given up after five
-- attempts, stay in the table for ever, so they must not be in the index that each visit of a printer reads.
create index concurrently plate_dispatches_removable on plate_dispatches (printer_id, closed_at)
  where removed_at is null and closed_at is not null and upload_begun_at is not null and removals < 5;

drop index concurrently if exists plate_dispatches_files;
