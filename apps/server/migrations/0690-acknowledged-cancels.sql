-- A cancel is sent again only if the printer did not confirm it. A later print of the same file was started by a person.
alter table plate_dispatches add column cancel_acknowledged_at timestamptz;
