-- Owned by module print-queue, read by module labels: the plates on the beds of printers, for the person who scans a
-- label. `is_in_print` means that a network printer is still printing the plate, so that its pieces cannot be counted
-- yet. `note` is why the pieces of a printed plate have to be checked.
create or replace view scannable_beds as
select r.id as plate_id, r.printer_id, r.number, r.pieces,
       r.state <> 'printed' and r.remote_name is not null and p.kind not in ('manual', 'agent') as is_in_print,
       case r.state when 'printed' then r.failure_reason end as note
from job_plates r
join printers p on p.id = r.printer_id
where r.state in ('sending', 'printing', 'paused', 'printed');

-- Owned by module print-queue, read by module labels: the running plates of a job, for the person who scans the job's
-- label. `is_by_hand` means that a person or an agent is printing the plate, so that its filament and time can be
-- entered. `note` is why the pieces of a printed plate have to be checked.
create or replace view scannable_plates as
select r.id, r.print_job_id, r.number, r.pieces, coalesce(p.name, r.agent) as printer,
       r.state <> 'printed' and coalesce(p.kind in ('manual', 'agent'), true) as is_by_hand,
       case r.state when 'printed' then r.failure_reason end as note
from job_plates r
left join printers p on p.id = r.printer_id
where r.state in ('sending', 'printing', 'paused', 'printed');
