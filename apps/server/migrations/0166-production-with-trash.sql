-- in steps
-- The production report and the yield of an item also count jobs in the trash, because their prints have happened.
create index concurrently if not exists print_jobs_ended on print_jobs (finished_at)
  where status in ('completed', 'failed', 'cancelled');
create index concurrently if not exists print_jobs_of_item on print_jobs (item_id) where item_id is not null;
create index concurrently if not exists print_jobs_of_order on print_jobs (order_id) where order_id is not null;
-- Owned by module print-queue: the number of good pieces of an item. The cost of the item uses it.
create or replace view item_yields as
select j.item_id, sum(p.good_quantity)::bigint as good,
       sum(case when p.state = 'failed' then greatest(p.pieces, p.rejected_quantity) else p.rejected_quantity end)::bigint as bad
from job_plates p
join print_jobs j on j.id = p.print_job_id
where p.state in ('done', 'failed') and j.item_id is not null
group by j.item_id;
