-- Owned by module print-queue: order_jobs also contains the start of a job. A started job stays started while it is on
-- hold.
create or replace view order_jobs as
select j.id, j.order_id, j.order_line_id, j.item_id, j.status, greatest(0, j.quantity - j.good_quantity) as pieces, j.started_at
from print_jobs j
where j.deleted_at is null and j.status in ('pending', 'in_progress', 'on_hold') and j.order_id is not null;
