-- Owned by module print-queue: who prints a plate, and with which spool. A job may have several plates at work at once.

alter table job_plates
  -- The spool that it prints with; null: that of the job.
  add column spool_id uuid references spools (id),
  -- Key and claim of the agent that prints it, kept so that a report which arrives twice is recognised.
  add column api_key_id uuid,
  add column lease_id uuid,
  -- The request to a network printer that it has not carried out yet.
  add column command text constraint job_plates_command check (command in ('pause', 'resume'));
create index job_plates_of_key on job_plates (print_job_id, api_key_id) where api_key_id is not null;
create index job_plates_by_remote_name on job_plates (printer_id, remote_name) where remote_name is not null;

update job_plates p set api_key_id = t.actor_id
from (
  select distinct on (print_job_id) print_job_id, actor_id, actor_kind from job_transitions
  where to_status = 'in_progress' order by print_job_id, created_at desc, id desc
) t
where t.print_job_id = p.print_job_id and t.actor_kind = 'api_key' and p.agent is not null;

-- A lease is for one plate. One without a plate was for a job that was deleted since.
update job_plates p set lease_id = l.id, api_key_id = l.api_key_id from leases l where l.plate_id = p.id;
delete from leases where plate_id is null;
alter table leases
  drop constraint leases_pkey,
  alter column plate_id set not null,
  add primary key (plate_id);
create index leases_of_job on leases (print_job_id);

-- Every plate brings its good pieces into stock once, however often it is reported. Until now a job was one print.
alter table movements add column plate_id uuid references job_plates (id);
drop index movements_produced_once;
create unique index movements_produced_once on movements (coalesce(plate_id, print_job_id), item_id)
  where kind = 'produce' and print_job_id is not null;
create index movements_of_print_job on movements (print_job_id) where print_job_id is not null;
