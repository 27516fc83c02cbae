-- The public view of printers for a scanner. It also contains the slot for the next scanned spool, and the spool in it.
-- The slot is the first empty one, otherwise the first one. A spool never replaces a spool that the person has not
-- seen.
create or replace view scannable_printers as
select p.id, p.label_code, p.name, p.model, p.kind, p.state, p.state_reason, l.path as location, j.label_code as job_code,
       (select count(*)::int from printer_slots s where s.printer_id = p.id) as slots,
       (select string_agg(s.label_code, ', ' order by o.slot) from printer_slots o
          join spools s on s.id = o.spool_id where o.printer_id = p.id) as loaded,
       (select jsonb_build_object('slot', o.slot, 'filament_id', s.id) from printer_slots o
          left join spools s on s.id = o.spool_id and s.deleted_at is null
          where o.printer_id = p.id order by s.id is not null, o.slot limit 1) as next_slot
from printers p
left join locations l on l.id = p.location_id
left join job_plates r on r.printer_id = p.id and r.state in ('sending', 'printing', 'paused', 'printed')
left join print_jobs j on j.id = r.print_job_id
where p.deleted_at is null;
