-- The time at which the archive was downloaded, as evidence of the license of the chosen models. It can be later than
-- the day of the request.
alter table stl_imports add column fetched_at timestamptz;
