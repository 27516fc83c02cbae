-- What a printer answered when it refused a file or a start. While it is set, the printer gets no plate: it is out of
-- order until a person puts it back into use.
alter table printer_connections add column refusal text;
