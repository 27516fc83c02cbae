-- Owned by module print-queue: how many pieces of an item came out well, for its cost. Jobs in the trash count no more, so
-- that the index of an item's jobs serves it.
create or replace view item_yields as
select j.item_id, sum(p.good_quantity)::bigint as good,
       sum(case when p.state = 'failed' then greatest(p.pieces, p.rejected_quantity) else p.rejected_quantity end)::bigint as bad
from job_plates p
join print_jobs j on j.id = p.print_job_id
where p.state in ('done', 'failed') and j.item_id is not null and j.deleted_at is null
group by j.item_id;

-- For reports of a period.
create index job_plates_ended on job_plates (finished_at) where state in ('done', 'failed');
