-- Each comparison tries the refused orders again that were not tried for the longest time.
alter table refused_orders add column tried_at timestamptz;
