-- Owned by module print-queue: the number of good pieces of an item. The cost of the item uses it. A failed plate that
-- used neither filament nor time does not count, because its print never began.
create or replace view item_yields as
select j.item_id, sum(p.good_quantity)::bigint as good,
       sum(case when p.state = 'failed' then greatest(p.pieces, p.rejected_quantity) else p.rejected_quantity end)::bigint as bad
from job_plates p
join print_jobs j on j.id = p.print_job_id
where p.state in ('done', 'failed') and j.item_id is not null
  and (p.state <> 'failed' or p.rejected_quantity > 0 or (p.used_grams, p.print_minutes) is distinct from (0, 0))
group by j.item_id;
