-- in steps
-- The unfinished jobs of an item are few. Without this index, PostgreSQL reads all finished jobs of the item as well.
create index concurrently if not exists print_jobs_coming on print_jobs (item_id)
  where deleted_at is null and status in ('pending', 'in_progress', 'on_hold');
-- Owned by module print-queue: the pieces that the unfinished jobs of an item will still make.
create or replace view queued_items as
select item_id, sum(greatest(0, quantity - good_quantity))::bigint as quantity
from print_jobs
where deleted_at is null and status in ('pending', 'in_progress', 'on_hold') and item_id is not null
group by item_id;
