-- The value of `seen_at` for which the printer of a silent agent was last shown as offline. A printer that a person
-- puts back into use stays in use until its agent reports and becomes silent again.
alter table printers add column silence_of timestamptz;
