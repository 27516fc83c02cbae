-- The day of `state_until` that the person chose, such as 2026-11-27. A time alone would not show it: in UTC, noon in
-- Auckland belongs to the day before.
alter table printers add column state_until_day text;
