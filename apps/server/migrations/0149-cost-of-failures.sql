-- The cost of an ended job without its earlier attempts. A job without good pieces has only this cost.
alter table print_jobs add column own_cost_minor bigint;
