-- Printers report their use every few seconds, a few millimeters at a time. Rounding to hundredths of a gram would lose
-- most of it, and one row per report would hide the entries of people.

drop view stock_spools;
drop trigger spools_remaining_guard on spools;
alter table spools drop column status;
alter table spools alter column remaining_grams type numeric(14, 6);
alter table spools add column status text generated always as (
  case when archived_at is not null then 'archived'
       when remaining_grams = 0 then 'empty'
       when remaining_grams * 10 <= weight_grams then 'low'
       else 'active' end
) stored;
create index spools_by_status on spools (status, created_at desc, id desc) where deleted_at is null;
create trigger spools_remaining_guard before insert or update of remaining_grams on spools
  for each row execute function guard_spool_remaining();
create view stock_spools as
select s.id, s.label_code, f.material, f.name, f.color, f.color_hex, s.remaining_grams, s.status, s.deleted_at
from spools s
join filaments f on f.id = s.filament_id;

alter table spool_ledger
  alter column delta_grams type numeric(14, 6),
  alter column before_grams type numeric(14, 6),
  alter column after_grams type numeric(14, 6),
  alter column reported_grams type numeric(14, 6),
  alter column length_mm type numeric(16, 4),
  -- The time of the last report that was added to the entry. Null if no report was added.
  add column last_at timestamptz;

-- People do not edit the remaining weight, so its changes do not change the revision. Otherwise every edit of a note
-- during a print would be refused because the spool has changed.
create or replace function apply_spool_entry() returns trigger language plpgsql as $$
begin
  update spools
  set remaining_grams = remaining_grams + new.delta_grams,
      opened_at = case when new.kind = 'use' then coalesce(opened_at, new.created_at) else opened_at end,
      last_used_at = case when new.kind = 'use' then greatest(last_used_at, new.created_at) else last_used_at end,
      updated_at = greatest(updated_at, new.created_at)
  where id = new.spool_id
  returning remaining_grams into new.after_grams;
  if not found then
    raise exception 'there is no such spool' using errcode = '23503', constraint = 'spool_ledger_spool_id_fkey';
  end if;
  new.before_grams := new.after_grams - new.delta_grams;
  return new;
end $$;

-- The newest entry of a spool may grow while its printer reports. Everything else in an entry never changes.
create function grow_spool_entry() returns trigger language plpgsql as $$
declare
  growing constant text[] := array['delta_grams', 'after_grams', 'reported_grams', 'length_mm', 'last_at'];
begin
  if tg_op = 'DELETE' or old.kind <> 'use' or new.delta_grams > old.delta_grams
    or to_jsonb(new) - growing is distinct from to_jsonb(old) - growing
    or exists (select from spool_ledger later
               where later.spool_id = old.spool_id and (later.created_at, later.id) > (old.created_at, old.id))
  then
    raise exception 'rows of % are never changed or removed', tg_table_name using errcode = '23000';
  end if;
  update spools
  set remaining_grams = remaining_grams + new.delta_grams - old.delta_grams,
      last_used_at = greatest(last_used_at, new.last_at),
      updated_at = greatest(updated_at, new.last_at)
  where id = new.spool_id
  returning remaining_grams into new.after_grams;
  return new;
end $$;
drop trigger spool_ledger_stays on spool_ledger;
create trigger spool_ledger_grows before update or delete on spool_ledger
  for each row execute function grow_spool_entry();

-- The public view of the queue, for modules that go through the jobs in order: the filament that each unfinished job
-- needs. The material and color are those of the job. If it has none, they are those of its spool or item.
create view queue_demand as
select j.id, j.label_code, coalesce(i.name, m.title) as name, j.due_at, j.status = 'in_progress' as is_printing,
       j.priority, j.position, j.created_at,
       nullif(trim(coalesce(j.material, s.material, i.material_used)), '') as material,
       nullif(trim(coalesce(j.color, s.color, i.color)), '') as color,
       coalesce(s.color_hex, i.color_hex) as color_hex,
       j.estimated_grams is null as lacks_estimate,
       coalesce(j.estimated_grams, 0) * (1 - j.progress) as needed_grams
from print_jobs j
left join stock_items i on i.id = j.item_id
left join library_models m on m.id = coalesce(j.stl_file_id, i.stl_file_id)
left join stock_spools s on s.id = j.spool_id
where j.deleted_at is null and j.status in ('pending', 'in_progress', 'on_hold');

-- For modules that show a job with their own rows. It includes the trash.
create view print_job_labels as
select j.id, j.label_code from print_jobs j;

-- Ended jobs are listed by status, the latest first. Without this index, the few failed jobs would be searched among
-- many completed ones.
create index print_jobs_over on print_jobs (status, finished_at desc, id desc)
  where deleted_at is null and finished_at is not null;
