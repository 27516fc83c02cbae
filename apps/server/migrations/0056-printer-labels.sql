-- Owned by module print-queue: labels of printers, cameras, and the values on the floor.

alter table printers
  add column has_camera boolean not null default false,
  add column label_printed_at timestamptz,
  -- The text on the label when it was printed, as for other objects with labels.
  add column label_printed_facts jsonb;

-- A printer prints its assigned jobs in the order of the queue.
create index print_jobs_next_on_printer on print_jobs (assigned_printer_id, priority, position, created_at, id)
  where deleted_at is null and status = 'pending' and assigned_printer_id is not null;

-- The public view of all objects with a code, with the texts of their labels. It includes the trash.
create or replace view labelled_things as
select 'item' as kind, i.id, i.label_code as code, i.name, i.sku, l.path as location, i.selling_price_minor as price_minor,
       jsonb_build_object('name', i.name, 'sku', i.sku, 'location', l.path, 'price', i.selling_price_minor) as facts,
       i.label_printed_at as printed_at, i.label_printed_facts as printed_facts, i.created_at, i.deleted_at
from items i
left join locations l on l.id = i.location_id
union all
select 'location', l.id, l.label_code, l.name, null, l.path, null,
       jsonb_build_object('name', l.name, 'sku', null, 'location', l.path, 'price', null),
       l.label_printed_at, l.label_printed_facts, l.created_at, l.deleted_at
from locations l
union all
select 'spool', s.id, s.label_code, w.name, w.sort, l.path, null,
       jsonb_build_object('name', w.name, 'sku', w.sort, 'location', l.path, 'price', null),
       s.label_printed_at, s.label_printed_facts, s.created_at, s.deleted_at
from spools s
join filaments f on f.id = s.filament_id
left join vendors v on v.id = f.vendor_id
left join locations l on l.id = s.location_id
cross join lateral (
  select concat_ws(' ', v.name, f.name) as name, concat_ws(' · ', f.material, nullif(f.color, '')) as sort
) w
union all
select 'print_job', j.id, j.label_code, coalesce(i.name, m.title, ''), j.quantity || ' ×', null, null, '{}',
       null, null, j.created_at, j.deleted_at
from print_jobs j
left join items i on i.id = j.item_id
left join library_models m on m.id = j.stl_file_id
union all
select 'order', o.id, tail_code('O', o.id), o.order_number, o.customer_name, null, null, '{}',
       null, null, o.created_at, o.deleted_at
from orders o
union all
select 'model', f.id, tail_code('M', f.id), f.title, null, null, null, '{}', null, null, f.created_at, f.deleted_at
from stl_files f
union all
select 'printer', p.id, p.label_code, p.name, p.model, l.path, null,
       jsonb_build_object('name', p.name, 'sku', p.model, 'location', l.path, 'price', null),
       p.label_printed_at, p.label_printed_facts, p.created_at, p.deleted_at
from printers p
left join locations l on l.id = p.location_id;

-- The public view of printers for a scanner: the state, the job on the bed, and the loaded spools.
create view scannable_printers as
select p.id, p.label_code, p.name, p.model, p.kind, p.state, p.state_reason, l.path as location, j.label_code as job_code,
       (select count(*)::int from printer_slots s where s.printer_id = p.id) as slots,
       (select string_agg(s.label_code, ', ' order by o.slot) from printer_slots o
          join spools s on s.id = o.spool_id where o.printer_id = p.id) as loaded
from printers p
left join locations l on l.id = p.location_id
left join job_plates r on r.printer_id = p.id and r.state in ('sending', 'printing', 'paused', 'printed')
left join print_jobs j on j.id = r.print_job_id
where p.deleted_at is null;
