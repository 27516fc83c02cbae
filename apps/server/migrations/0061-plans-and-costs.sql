-- Public views for plans and costs of print jobs.

-- Owned by module inventory: the print settings and the stock limits of items.
create view printed_items as
select i.id, i.name, i.sku, i.stl_file_id, i.color_hex, i.quantity - i.reserved_quantity as available_quantity,
       i.reorder_point, i.max_stock, i.quantity <= i.reorder_point as is_low, i.pieces_per_print, i.print_time_minutes,
       i.deleted_at
from items i;

-- Owned by module filament: the filament that print jobs took from spools, and the purchase price per kilogram of each
-- spool.
create view job_filament as
select l.print_job_id, -l.delta_grams as grams,
       coalesce(s.price_minor * 1000 / s.weight_grams, f.price_minor * 1000 / f.weight_grams) as minor_per_kg
from spool_ledger l
join spools s on s.id = l.spool_id
join filaments f on f.id = s.filament_id
where l.print_job_id is not null;

-- Owned by module print-queue: the number of good pieces of an item. The cost of the item uses it.
create view item_yields as
select j.item_id, sum(p.good_quantity)::bigint as good,
       sum(case when p.state = 'failed' then greatest(p.pieces, p.rejected_quantity) else p.rejected_quantity end)::bigint as bad
from job_plates p
join print_jobs j on j.id = p.print_job_id
where p.state in ('done', 'failed') and j.item_id is not null
group by j.item_id;

-- Owned by module filament: the values that convert a length of a spool's filament into grams.
create view spool_strands as
select s.id, f.density_g_cm3, f.diameter_mm from spools s join filaments f on f.id = s.filament_id;
