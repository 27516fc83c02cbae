-- The print that a network printer showed when it was last seen at rest: the name of its file, and what the printer says
-- about the print. Empty if it showed none. A print by hand that nobody saw running is recognized by a change.
alter table printer_connections add column shown_print text;
