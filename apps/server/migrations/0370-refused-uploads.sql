-- The number of uploads in a row that the printer answered with a temporary error, and the time of the last one. The
-- server tries again after a pause, and gives up after a few attempts.
alter table plate_dispatches
  add column refusals integer not null default 0,
  add column refused_at timestamptz;
