-- Owned by module print-queue: a plate whose pieces were all rejected counts against the success rate of its printer.
-- may block: a shop has few printers, and the plates are only read
update printers p
set finished_plates = p.finished_plates - least(p.finished_plates, r.plates),
    failed_plates = p.failed_plates + least(p.finished_plates, r.plates)
from (
  select printer_id, count(*)::int as plates from job_plates
  where state = 'done' and good_quantity = 0 and rejected_quantity > 0
  group by printer_id
) r
where r.printer_id = p.id;
