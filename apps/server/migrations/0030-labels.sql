-- Owned by the modules whose objects have labels. Module labels reads them.

-- Orders and models have no number. Their code contains the random end of their id.
create function tail_code(prefix text, id uuid) returns text
language sql immutable parallel safe
return prefix || '-' || upper(right(id::text, 12));
create index orders_label_code on orders (tail_code('O', id));
create index stl_files_label_code on stl_files (tail_code('M', id));

-- The texts on the label when it was printed, such as `{"name": …, "sku": …}`. Both this column and label_printed_at
-- are set, or both are null.
alter table items add column label_printed_facts jsonb;
alter table locations add column label_printed_facts jsonb;
alter table spools add column label_printed_facts jsonb;

-- The public view of all objects with a code, with the texts of their labels. It includes the trash.
create view labelled_things as
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
from stl_files f;

-- The public views of objects that can be scanned, for the choice of possible actions.
create view scannable_items as
select i.id, i.label_code, i.name, i.sku, i.status, i.quantity, i.reserved_quantity, i.reorder_point, i.max_stock,
       '#' || i.color_hex as color_hex, i.stl_file_id, coalesce(m.has_picture, false) as has_picture,
       i.location_id, l.path as location
from items i
left join locations l on l.id = i.location_id
left join library_models m on m.id = i.stl_file_id
where i.deleted_at is null;

create view scannable_locations as
select l.id, l.label_code, l.name, l.path, l.kind as location_kind,
       (select count(*) from items i where i.location_id = l.id and i.deleted_at is null)::int as items,
       (select count(*) from spools s where s.location_id = l.id and s.deleted_at is null)::int as spools
from locations l
where l.deleted_at is null;

create view scannable_spools as
select s.id, s.label_code, concat_ws(' ', v.name, f.name) as name, f.material, v.name as brand, f.color,
       '#' || f.color_hex as color_hex, s.status, s.remaining_grams::float8, s.weight_grams::float8,
       coalesce(s.spool_weight_grams, f.spool_weight_grams, v.spool_weight_grams)::float8 as spool_weight_grams,
       s.location_id, l.path as location
from spools s
join filaments f on f.id = s.filament_id
left join vendors v on v.id = f.vendor_id
left join locations l on l.id = s.location_id
where s.deleted_at is null;

create view scannable_jobs as
select j.id, j.label_code, coalesce(i.name, m.title, '') as name, j.status, j.quantity, j.good_quantity,
       j.rejected_quantity, j.priority, o.order_number, j.due_at, '#' || i.color_hex as color_hex,
       m.id as stl_file_id, coalesce(m.has_picture, false) as has_picture
from print_jobs j
left join items i on i.id = j.item_id
left join library_models m on m.id = coalesce(j.stl_file_id, i.stl_file_id)
left join orders o on o.id = j.order_id
where j.deleted_at is null;
