-- Owned by module print-queue: jobs that were split or merged. This column refers to the job that got the missing
-- pieces.
alter table print_jobs add column merged_into_id uuid;
-- The other job of a split or merge. The history links to it.
alter table job_transitions add column other_job_id uuid;
