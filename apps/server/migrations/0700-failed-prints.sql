-- A Klipper printer shows the error of its last print until the next one begins. `failed_print` identifies the print whose
-- error was seen last, and `settled_print` the one after which a person has put the printer back into use.
alter table printer_connections add column failed_print text;
alter table printer_connections add column settled_print text;
