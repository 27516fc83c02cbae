-- Owned by module print-queue: the order in which plates ended, and the number of plates before a job was last taken
-- off hold. They are counted, because the clock of a server can be set back, and times then do not show the order.
create sequence plate_ends;
alter table job_plates add column end_order bigint;
alter table print_jobs add column plates_before_release integer;

-- may block: one pass over the plates
update job_plates p set end_order = e.nth
from (
  select id, row_number() over (order by finished_at, number, id) as nth from job_plates
  where state in ('done', 'failed', 'cancelled')
) e
where e.id = p.id;
select setval('plate_ends', (select coalesce(max(end_order), 0) + 1 from job_plates), false);
-- may block: one pass over the jobs that were on hold
update print_jobs j set plates_before_release = r.plates
from (
  select t.print_job_id,
         coalesce((select max(p.number) from job_plates p
                   where p.print_job_id = t.print_job_id and p.started_at <= max(t.created_at)), 0) as plates
  from job_transitions t where t.from_status = 'on_hold' group by t.print_job_id
) r
where r.print_job_id = j.id;

create function number_plate_end() returns trigger language plpgsql as $$
begin
  new.end_order := nextval('plate_ends');
  return new;
end $$;
create trigger job_plates_added_as_ended before insert on job_plates for each row
  when (new.state in ('done', 'failed', 'cancelled')) execute function number_plate_end();
create trigger job_plates_ended before update of state on job_plates for each row
  when (new.state in ('done', 'failed', 'cancelled') and new.state <> old.state) execute function number_plate_end();

create function count_plates_before_release() returns trigger language plpgsql as $$
begin
  new.plates_before_release := coalesce((select max(number) from job_plates where print_job_id = new.id), 0);
  return new;
end $$;
create trigger print_jobs_released before update of status on print_jobs for each row
  when (old.status = 'on_hold' and new.status <> old.status) execute function count_plates_before_release();
