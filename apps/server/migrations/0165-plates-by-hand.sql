-- Owned by module print-queue, read by module labels: the running plates of a job, for the person who scans the job's
-- label. `is_by_hand` means that a person or an agent is printing the plate, so that its filament and time can be
-- entered.
create or replace view scannable_plates as
select r.id, r.print_job_id, r.number, r.pieces, coalesce(p.name, r.agent) as printer,
       r.state <> 'printed' and coalesce(p.kind in ('manual', 'agent'), true) as is_by_hand
from job_plates r
left join printers p on p.id = r.printer_id
where r.state in ('sending', 'printing', 'paused', 'printed');
