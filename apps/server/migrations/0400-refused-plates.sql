-- Whether a printer refused the plate and provably never printed it. After two such plates in a row, the job is on hold,
-- because its file is probably at fault.
alter table job_plates add column is_refused boolean not null default false;
