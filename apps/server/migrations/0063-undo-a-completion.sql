-- Owned by module print-queue: the completion of a plate can be undone if nothing depends on it.

alter table job_plates
  -- The values that the completion of this plate replaced, for Undo. Null if the plate was not completed, if its
  -- completion was undone, or if it was completed before this migration.
  add column before_done jsonb;
