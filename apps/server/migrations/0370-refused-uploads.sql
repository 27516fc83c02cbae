-- How often in a row the printer answered the upload of a plate with an error that may pass, and when it last did. The
-- server tries again after a pause, and gives up after a few attempts.
alter table plate_dispatches
  add column refusals integer not null default 0,
  add column refused_at timestamptz;
