-- Owned by module print-queue: the agent and the spool of each plate. A job can have several running plates at the same
-- time.

alter table job_plates
  -- The spool of the plate. Null: the spool of the job.
  add column spool_id uuid references spools (id),
  -- The key and the lease of the agent that prints the plate. They are kept so that a repeated report is recognized.
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

-- A lease belongs to one plate. A lease without a plate belonged to a job that has been deleted since.
update job_plates p set lease_id = l.id, api_key_id = l.api_key_id from leases l where l.plate_id = p.id;
delete from leases where plate_id is null;
alter table leases
  drop constraint leases_pkey,
  alter column plate_id set not null,
  add primary key (plate_id);
create index leases_of_job on leases (print_job_id);

-- Each plate adds its good pieces to the stock once, even if it is reported several times. Before this migration, a job
-- was one print.
alter table movements add column plate_id uuid references job_plates (id);
drop index movements_produced_once;
create unique index movements_produced_once on movements (coalesce(plate_id, print_job_id), item_id)
  where kind = 'produce' and print_job_id is not null;
create index movements_of_print_job on movements (print_job_id) where print_job_id is not null;
