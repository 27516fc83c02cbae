-- Each comparison tries again the refused orders that have waited longest since their last attempt.
alter table refused_orders add column tried_at timestamptz;
