-- A cancel that was lost or refused is sent again, while the printer still prints the file.
alter table plate_dispatches add column cancel_repeated_at timestamptz;
