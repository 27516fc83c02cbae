-- in steps
-- A printer with OctoPrint now also shows a print that somebody has cancelled. What such a printer has shown before would
-- look like another print, so it proves nothing.
-- repeat
with batch as (
  select c.printer_id from printer_connections c join printers p on p.id = c.printer_id
  where p.kind = 'octoprint' and c.shown_print is not null
  limit 200 for update of c skip locked
)
update printer_connections set shown_print = null where printer_id in (select printer_id from batch) returning printer_id;
