-- Owned by module print-queue: why the bed of a printer in maintenance has to be cleared when it is used again. Null: it is free.
alter table printers add column bed_note text;
-- Before this migration, nobody wrote down whether the bed was free, so somebody has to look at it.
-- may block: a shop has few printers, and the statement takes milliseconds.
update printers set bed_note = 'Look at the bed before the printer is used again.'
where state = 'maintenance' and kind in ('moonraker', 'octoprint', 'prusalink', 'bambu') and deleted_at is null;
