-- The print that a network printer showed when it was last seen at rest: the name of its file, and what the printer says
-- about the print. Empty if it showed none. A change reveals a print that somebody started by hand and that the server
-- never saw running.
alter table printer_connections add column shown_print text;
