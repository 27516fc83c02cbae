-- The spools in the slots when a print started, as {slot: spool}. A spool that was loaded later did not supply the
-- print.
alter table job_plates add column loaded_spools jsonb;

-- Ids of the ledger entries that belong to the plate: its own ones, and those of people that replaced its estimate.
alter table job_plates add column booked_entries jsonb not null default '[]';
