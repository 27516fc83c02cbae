-- Owned by module printer-connectors: the plates whose start was sent to their network printer.
create view sent_plates as select plate_id from plate_dispatches where start_sent_at is not null;
