-- All spools that have to be loaded before a planned print, each with its slot, in the order of loading:
-- [{"spool_id": "…", "slot": 2}]. The slot is null on a printer with one slot. `spool_id` is the first of them.
alter table planned_prints add column loads jsonb not null default '[]';
