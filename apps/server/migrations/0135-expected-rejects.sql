-- The number of pieces of a job that will probably be rejected. Their plates are planned in addition to those of
-- `quantity`.
alter table print_jobs add column expected_rejects integer not null default 0;
