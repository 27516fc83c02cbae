-- The day of `state_until` as the person meant it, such as 2026-11-27. In UTC, noon in Auckland belongs to the day before.
alter table printers add column state_until_day text;
