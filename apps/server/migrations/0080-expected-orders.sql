-- Owned by module print-queue: the expected start and end of the prints of an order. The end is null if the planner has
-- found no printer for some of the pieces.
create view expected_orders as
select j.order_id, min(p.starts_at) as expected_start,
       case when bool_and(coalesce(p.pieces, 0) >= j.quantity - j.good_quantity) then max(p.ends_at) end as expected_end
from print_jobs j
left join lateral (
  select min(starts_at) as starts_at, max(ends_at) as ends_at, sum(pieces) as pieces
  from planned_prints where print_job_id = j.id
) p on true
where j.deleted_at is null and j.order_id is not null and j.status in ('pending', 'in_progress', 'on_hold')
group by j.order_id;
