-- Owned by module printer-connectors: when people were last told that a deleted printer was not seen to stop its print.
alter table printer_connections add column given_up_at timestamptz;
