-- Owned by module print-queue: the number of good pieces of an item. The cost of the item uses it. Jobs in the trash no
-- longer count, so the index of an item's jobs can be used.
create or replace view item_yields as
select j.item_id, sum(p.good_quantity)::bigint as good,
       sum(case when p.state = 'failed' then greatest(p.pieces, p.rejected_quantity) else p.rejected_quantity end)::bigint as bad
from job_plates p
join print_jobs j on j.id = p.print_job_id
where p.state in ('done', 'failed') and j.item_id is not null and j.deleted_at is null
group by j.item_id;

-- An index for reports of a period.
create index job_plates_ended on job_plates (finished_at) where state in ('done', 'failed');
