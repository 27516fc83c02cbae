-- When an archive was fetched, as evidence of the licence of what is chosen from it: the day it was asked for may be another.
alter table stl_imports add column fetched_at timestamptz;
