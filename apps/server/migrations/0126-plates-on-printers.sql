-- Owned by module print-queue, read by module labels: the plates on the beds of printers, for the person who scans a
-- label. `is_in_print` means that a network printer is still printing the plate, so that its pieces cannot be counted
-- yet.
create view scannable_beds as
select r.id as plate_id, r.printer_id, r.number, r.pieces,
       r.state <> 'printed' and r.remote_name is not null and p.kind not in ('manual', 'agent') as is_in_print
from job_plates r
join printers p on p.id = r.printer_id
where r.state in ('sending', 'printing', 'paused', 'printed');
