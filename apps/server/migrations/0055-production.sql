-- Owned by module print-queue: printers with their state, loaded spools and maintenance.

alter table printers
  add column label_code text generated always as (label_code('P', number, 3)) stored,
  -- A print is started by a person, by an agent with an API key, or by the server over the network.
  add column kind text not null default 'manual' constraint printers_kind
    check (kind in ('manual', 'agent', 'moonraker', 'octoprint', 'prusalink', 'bambu')),
  -- The address at which the server reaches the printer. The key is encrypted with the root secret, and is never sent
  -- to a client.
  add column address text constraint printers_address_length check (length(address) <= 500),
  add column api_key_sealed text,
  -- The last time at which the printer or its agent reported.
  add column seen_at timestamptz,
  add column progress numeric(5, 4) constraint printers_progress check (progress between 0 and 1),
  add column finishes_at timestamptz,
  -- The total printing time. The maintenance intervals use it.
  add column printed_minutes bigint not null default 0 constraint printers_printed_minutes check (printed_minutes >= 0),
  -- The numbers of successful and failed plates. The success rate is computed from them.
  add column finished_plates integer not null default 0 constraint printers_finished_plates check (finished_plates >= 0),
  add column failed_plates integer not null default 0 constraint printers_failed_plates check (failed_plates >= 0),
  add column picture_key text,
  drop constraint printers_state,
  add constraint printers_state check (
    state in ('available', 'printing', 'paused', 'needs_clearing', 'maintenance', 'offline', 'error'));
create unique index printers_label_code_key on printers (label_code);

-- The slots of printers with their spools. A spool is loaded on at most one printer. The spool of an empty slot is
-- null.
create table printer_slots (
  printer_id uuid not null references printers (id),
  slot smallint not null constraint printer_slots_slot check (slot between 1 and 16),
  spool_id uuid references spools (id) constraint printer_slots_spool_key unique,
  loaded_at timestamptz,
  primary key (printer_id, slot)
);

create table maintenance_plans (
  id uuid primary key,
  printer_id uuid not null references printers (id),
  name text not null constraint maintenance_plans_name_length check (length(name) between 1 and 100),
  every_hours integer constraint maintenance_plans_hours check (every_hours between 1 and 100000),
  every_days integer constraint maintenance_plans_days check (every_days between 1 and 3650),
  -- The printing time of the printer at the last maintenance, and the time of that maintenance.
  done_at_minutes bigint not null default 0,
  done_at timestamptz not null,
  created_at timestamptz not null,
  deleted_at timestamptz,
  constraint maintenance_plans_rhythm check (num_nonnulls(every_hours, every_days) >= 1)
);
create index maintenance_plans_of_printer on maintenance_plans (printer_id) where deleted_at is null;

create table maintenance_log (
  id uuid primary key,
  printer_id uuid not null references printers (id),
  plan_id uuid references maintenance_plans (id),
  done text not null constraint maintenance_log_length check (length(done) between 1 and 500),
  printed_minutes bigint not null,
  actor_kind text not null constraint maintenance_log_actor_kind check (actor_kind in ('user', 'api_key', 'system')),
  actor_id uuid,
  actor_name text not null,
  created_at timestamptz not null
);
create index maintenance_log_of_printer on maintenance_log (printer_id, created_at desc, id desc);

-- Owned by module slices: sliced files, with one row for each plate of a file.
create table sliced_files (
  id uuid primary key,
  stl_file_id uuid not null references stl_files (id),
  stl_version_id uuid not null references stl_versions (id),
  -- The plates of one upload share the same file.
  object_key text not null,
  file_name text not null constraint sliced_files_name_length check (length(file_name) between 1 and 255),
  file_size bigint not null constraint sliced_files_size check (file_size >= 0),
  sha256 text not null,
  format text not null constraint sliced_files_format check (format in ('gcode', 'bgcode', 'gcode.3mf')),
  plate smallint not null default 1 constraint sliced_files_plate check (plate between 1 and 1000),
  printer_model text,
  nozzle_mm numeric(4, 2),
  bed_mm jsonb,
  layer_height_mm numeric(5, 3),
  layers integer,
  -- The values of the first tool. Those of all tools are in `tools`: `[{tool, material, color_hex, grams, metres}]`.
  material text,
  tools jsonb not null default '[]',
  grams numeric(10, 2) constraint sliced_files_grams check (grams >= 0),
  metres numeric(10, 3) constraint sliced_files_metres check (metres >= 0),
  minutes integer constraint sliced_files_minutes check (minutes >= 0),
  -- The number of pieces of the model that one print of the plate makes.
  pieces integer not null default 1 constraint sliced_files_pieces check (pieces between 1 and 10000),
  slicer text,
  picture_key text,
  actor_kind text not null constraint sliced_files_actor_kind check (actor_kind in ('user', 'api_key', 'system')),
  actor_id uuid,
  actor_name text not null,
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz
);
create unique index sliced_files_once on sliced_files (stl_version_id, sha256, plate) where deleted_at is null;
create index sliced_files_of_model on sliced_files (stl_file_id, created_at desc, id desc) where deleted_at is null;
create index sliced_files_by_object on sliced_files (object_key);

-- The public view of sliced files for the queue.
create view printable_slices as
select f.id, f.stl_file_id, f.stl_version_id, f.object_key, f.file_name, f.file_size, f.sha256, f.format, f.plate,
       f.printer_model, f.nozzle_mm, f.bed_mm, f.material, f.tools, f.grams, f.metres, f.minutes, f.pieces, f.created_at,
       f.deleted_at
from sliced_files f;

-- Owned by module print-queue: a job is printed in plates. Each plate is printed on one printer.
alter table print_jobs
  -- Null: all pieces fit on one plate.
  add column pieces_per_plate integer constraint print_jobs_pieces_per_plate check (pieces_per_plate between 1 and 1000000),
  add column plates integer not null default 1 constraint print_jobs_plates check (plates >= 1),
  add column plates_done integer not null default 0 constraint print_jobs_plates_done check (plates_done >= 0),
  add column slice_id uuid references sliced_files (id),
  -- The strictness of the match between the loaded filament and the job's filament.
  add column match_strictness text not null default 'exact' constraint print_jobs_match_strictness
    check (match_strictness in ('exact', 'any_color', 'material')),
  -- The printer that the job waits for. `printer_id` is the printer that prints it, or printed it last.
  add column assigned_printer_id uuid references printers (id),
  -- The cost of the whole job in minor units, stored when the job is completed. Its parts are in `cost_snapshot`.
  add column cost_minor bigint constraint print_jobs_cost check (cost_minor >= 0);
-- Before this migration, a job was one print of all its pieces.
update print_jobs set plates_done = 1 where status = 'completed';
create index print_jobs_assigned on print_jobs (assigned_printer_id)
  where deleted_at is null and status in ('pending', 'in_progress', 'on_hold');

create table job_plates (
  id uuid primary key,
  print_job_id uuid not null references print_jobs (id),
  -- The number of the plate within its job, from 1. A failed plate keeps its number, and its repetition gets the next
  -- number.
  number integer not null constraint job_plates_number check (number >= 1),
  printer_id uuid references printers (id),
  slice_id uuid references sliced_files (id),
  -- `sending`: the plate is being sent to the printer. `printed`: the print has ended, but it is still on the bed and
  -- has not been counted.
  state text not null constraint job_plates_state
    check (state in ('sending', 'printing', 'paused', 'printed', 'done', 'failed', 'cancelled')),
  pieces integer not null constraint job_plates_pieces check (pieces >= 1),
  good_quantity integer not null default 0 constraint job_plates_good check (good_quantity >= 0),
  rejected_quantity integer not null default 0 constraint job_plates_rejected check (rejected_quantity >= 0),
  failure_reason text,
  progress numeric(5, 4) not null default 0 constraint job_plates_progress check (progress between 0 and 1),
  used_grams numeric(10, 2) constraint job_plates_used_grams check (used_grams >= 0),
  print_minutes integer constraint job_plates_print_minutes check (print_minutes >= 0),
  -- The name of the print on the printer. The server recognizes the print by it after a crash.
  remote_name text,
  agent text,
  started_at timestamptz not null,
  finished_at timestamptz,
  constraint job_plates_number_key unique (print_job_id, number),
  constraint job_plates_finished check ((finished_at is not null) = (state in ('done', 'failed', 'cancelled')))
);
-- A printer prints one plate at a time.
create unique index job_plates_one_on_a_printer on job_plates (printer_id)
  where printer_id is not null and state in ('sending', 'printing', 'paused', 'printed');
create index job_plates_running on job_plates (print_job_id)
  where state in ('sending', 'printing', 'paused', 'printed');
create index job_plates_of_printer on job_plates (printer_id, finished_at desc);

-- Each running or completed job gets one plate.
insert into job_plates (id, print_job_id, number, printer_id, state, pieces, good_quantity, rejected_quantity, failure_reason,
                        progress, used_grams, print_minutes, agent, started_at, finished_at)
select gen_random_uuid(), j.id, 1,
       -- Only the last job that was started on a printer can still be on it.
       case when j.status = 'in_progress' and exists (
         select from print_jobs o where o.printer_id = j.printer_id and o.status = 'in_progress' and o.deleted_at is null
           and (o.started_at, o.id) > (j.started_at, j.id)) then null else j.printer_id end,
       case j.status when 'in_progress' then 'printing' when 'completed' then 'done' else j.status end,
       j.quantity, j.good_quantity, j.rejected_quantity, j.failure_reason, j.progress, j.used_grams, j.print_minutes, j.agent,
       j.started_at, j.finished_at
from print_jobs j
where j.started_at is not null and j.status in ('in_progress', 'completed', 'failed', 'cancelled') and j.deleted_at is null;

-- A lease belongs to the plate that an agent prints.
alter table leases add column plate_id uuid references job_plates (id);
update leases l set plate_id = p.id from job_plates p where p.print_job_id = l.print_job_id and p.state = 'printing';
