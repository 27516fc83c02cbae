-- Owned by module print-queue: a completion that nobody has built on can be taken back.

alter table job_plates
  -- What the completion of this plate replaced, for Undo. Null: it was not completed, or was taken back, or before this file.
  add column before_done jsonb;
