-- True if a printer refused the plate and certainly never printed it. After two such plates in a row, the job is put on
-- hold, because its file is probably faulty.
alter table job_plates add column is_refused boolean not null default false;
