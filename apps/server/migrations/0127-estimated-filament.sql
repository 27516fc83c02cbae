-- True if the filament of a plate was not reported, but computed from its sliced file or its job.
alter table job_plates add column is_estimated boolean not null default false;
