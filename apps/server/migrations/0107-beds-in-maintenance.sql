-- Owned by module print-queue: why the bed of a printer in maintenance has to be cleared when it is used again. Null: it is free.
alter table printers add column bed_note text;
