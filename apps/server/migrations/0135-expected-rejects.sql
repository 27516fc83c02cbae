-- Number of pieces of a job that will probably be rejected, so that their plates are planned besides those of `quantity`.
alter table print_jobs add column expected_rejects integer not null default 0;
