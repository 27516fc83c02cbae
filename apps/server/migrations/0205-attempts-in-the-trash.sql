-- in steps
-- The production report follows the attempts after a job, also those in the trash.
create index concurrently if not exists print_jobs_of_previous on print_jobs (previous_job_id)
  where previous_job_id is not null;
