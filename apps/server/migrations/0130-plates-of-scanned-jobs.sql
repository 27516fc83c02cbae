-- Owned by module print-queue, read by module labels: the running plates of a job, for the person who scans the job's
-- label.
create view scannable_plates as
select r.id, r.print_job_id, r.number, r.pieces, coalesce(p.name, r.agent) as printer
from job_plates r
left join printers p on p.id = r.printer_id
where r.state in ('sending', 'printing', 'paused', 'printed');
