-- in steps
-- Owned by module printer-connectors: the files whose removal was given up after five attempts. They get one more attempt
-- when the printer removes another file.
create index concurrently plate_dispatches_given_up on plate_dispatches (printer_id, closed_at)
  where removed_at is null and closed_at is not null and upload_begun_at is not null and removals = 5;
