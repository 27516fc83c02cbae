-- Owned by module print-queue: jobs that were split or merged.
-- The job that the missing pieces of this job were added to.
alter table print_jobs add column merged_into_id uuid;
-- The other job of a split or a merge. The history shows a link to it.
alter table job_transitions add column other_job_id uuid;
