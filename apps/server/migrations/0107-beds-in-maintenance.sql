-- Owned by module print-queue: the reason why the bed of a printer in maintenance must be cleared before it is used
-- again. Null: the bed is free.
alter table printers add column bed_note text;
-- Earlier versions did not record whether the bed was free, so a person has to look at it.
-- may block: a shop has few printers, and the statement takes milliseconds.
update printers set bed_note = 'Look at the bed before the printer is used again.'
where state = 'maintenance' and kind in ('moonraker', 'octoprint', 'prusalink', 'bambu') and deleted_at is null;
