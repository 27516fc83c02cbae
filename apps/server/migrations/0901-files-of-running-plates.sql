-- Owned by module print-queue: the pieces of the sliced file when the plate was started, and the number of plates that one
-- print of it needed then. A later correction of the file does not change what the plate holds.
alter table job_plates add column file_pieces integer, add column file_plates integer;
