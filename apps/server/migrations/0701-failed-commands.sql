-- When the printer first failed to carry out the command of a person. Minutes later, the command ends as refused.
alter table job_plates add column command_failed_at timestamptz;
