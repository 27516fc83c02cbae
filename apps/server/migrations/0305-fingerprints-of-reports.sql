-- The fingerprint of the report without a lease_id with which an agent ended the plate. A repetition of the report is
-- recognized by it, so that it does not end the next plate.
alter table job_plates add column report_fingerprint text;
