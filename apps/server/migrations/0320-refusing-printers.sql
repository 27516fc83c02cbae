-- The response of a printer that refused a file or a start. While it is stored, the printer is out of order and gets no
-- plate. It is deleted when a person puts the printer back into use.
alter table printer_connections add column refusal text;
