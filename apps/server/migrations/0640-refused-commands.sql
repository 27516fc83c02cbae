-- Why the printer finally refused to pause or resume the plate. It is shown until the state of the plate changes.
alter table job_plates add column command_refusal text;
