-- Owned by module print-queue: a photo of each printer. The key of its file contains the id of the printer.
alter table printers add column photo_key text;
