-- The numbers of the plates of the same job and API key that were open when an agent claimed this plate. They show
-- which plates were printed at the same time, without comparing times from the clocks of different servers. Null for
-- plates that were not claimed, or were claimed before this migration.
alter table job_plates add column claimed_beside integer[];
