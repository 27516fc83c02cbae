-- The answer of a printer that refused a file or a start. As long as it is stored, the printer is out of order and gets no
-- plate. A person removes it by putting the printer back into use.
alter table printer_connections add column refusal text;
