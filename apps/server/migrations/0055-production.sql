-- Owned by module print-queue: printers as machines with a state, loaded spools and maintenance.

alter table printers
  add column label_code text generated always as (label_code('P', number, 3)) stored,
  -- How its prints are started: by a person, by an agent with an API key, or by the server over the network.
  add column kind text not null default 'manual' constraint printers_kind
    check (kind in ('manual', 'agent', 'moonraker', 'octoprint', 'prusalink', 'bambu')),
  -- Where the server reaches it. The key is encrypted with the root secret, and never leaves the server again.
  add column address text constraint printers_address_length check (length(address) <= 500),
  add column api_key_sealed text,
  -- When the printer or its agent last said something.
  add column seen_at timestamptz,
  add column progress numeric(5, 4) constraint printers_progress check (progress between 0 and 1),
  add column finishes_at timestamptz,
  -- Time that it has printed in all. Maintenance is due by it.
  add column printed_minutes bigint not null default 0 constraint printers_printed_minutes check (printed_minutes >= 0),
  -- Plates that ended well and badly. The success rate is their ratio.
  add column finished_plates integer not null default 0 constraint printers_finished_plates check (finished_plates >= 0),
  add column failed_plates integer not null default 0 constraint printers_failed_plates check (failed_plates >= 0),
  add column picture_key text,
  drop constraint printers_state,
  add constraint printers_state check (
    state in ('available', 'printing', 'paused', 'needs_clearing', 'maintenance', 'offline', 'error'));
create unique index printers_label_code_key on printers (label_code);

-- What is loaded where. A spool hangs on one printer at a time; an empty slot has none.
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
  -- The printer's time when it was last done, and when that was.
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

-- Owned by module slices: files that printers print, one row for each plate of a file.
create table sliced_files (
  id uuid primary key,
  stl_file_id uuid not null references stl_files (id),
  stl_version_id uuid not null references stl_versions (id),
  -- The plates of one upload share its bytes.
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
  -- The first tool's; all of them are in `tools`: `[{tool, material, color_hex, grams, metres}]`.
  material text,
  tools jsonb not null default '[]',
  grams numeric(10, 2) constraint sliced_files_grams check (grams >= 0),
  metres numeric(10, 3) constraint sliced_files_metres check (metres >= 0),
  minutes integer constraint sliced_files_minutes check (minutes >= 0),
  -- How many pieces of the model one print of the plate makes.
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

-- The published face of sliced files for the queue.
create view printable_slices as
select f.id, f.stl_file_id, f.stl_version_id, f.object_key, f.file_name, f.file_size, f.sha256, f.format, f.plate,
       f.printer_model, f.nozzle_mm, f.bed_mm, f.material, f.tools, f.grams, f.metres, f.minutes, f.pieces, f.created_at,
       f.deleted_at
from sliced_files f;

-- Owned by module print-queue: a job is printed in plates, each on one printer.
alter table print_jobs
  -- Null: all pieces fit on one plate.
  add column pieces_per_plate integer constraint print_jobs_pieces_per_plate check (pieces_per_plate between 1 and 1000000),
  add column plates integer not null default 1 constraint print_jobs_plates check (plates >= 1),
  add column plates_done integer not null default 0 constraint print_jobs_plates_done check (plates_done >= 0),
  add column slice_id uuid references sliced_files (id),
  -- How closely a printer's loaded filament must be that of the job.
  add column match_strictness text not null default 'exact' constraint print_jobs_match_strictness
    check (match_strictness in ('exact', 'any_color', 'material')),
  -- The printer that the job waits for. `printer_id` is the one that prints it, or printed it last.
  add column assigned_printer_id uuid references printers (id),
  -- Cost of the whole job in minor units, kept when it is completed; the parts are in `cost_snapshot`.
  add column cost_minor bigint constraint print_jobs_cost check (cost_minor >= 0);
-- Until now a job was one print of all its pieces.
update print_jobs set plates_done = 1 where status = 'completed';
create index print_jobs_assigned on print_jobs (assigned_printer_id)
  where deleted_at is null and status in ('pending', 'in_progress', 'on_hold');

create table job_plates (
  id uuid primary key,
  print_job_id uuid not null references print_jobs (id),
  -- Counted for each job, from 1. A plate that failed keeps its number; its repetition gets the next one.
  number integer not null constraint job_plates_number check (number >= 1),
  printer_id uuid references printers (id),
  slice_id uuid references sliced_files (id),
  -- `sending`: on its way to the printer. `printed`: done, but still on the bed, so not counted yet.
  state text not null constraint job_plates_state
    check (state in ('sending', 'printing', 'paused', 'printed', 'done', 'failed', 'cancelled')),
  pieces integer not null constraint job_plates_pieces check (pieces >= 1),
  good_quantity integer not null default 0 constraint job_plates_good check (good_quantity >= 0),
  rejected_quantity integer not null default 0 constraint job_plates_rejected check (rejected_quantity >= 0),
  failure_reason text,
  progress numeric(5, 4) not null default 0 constraint job_plates_progress check (progress between 0 and 1),
  used_grams numeric(10, 2) constraint job_plates_used_grams check (used_grams >= 0),
  print_minutes integer constraint job_plates_print_minutes check (print_minutes >= 0),
  -- The name that the printer knows the print by, so that it is recognised after a crash.
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

-- Jobs that run or are completed become one plate each.
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

-- A lease is for the plate that an agent prints.
alter table leases add column plate_id uuid references job_plates (id);
update leases l set plate_id = p.id from job_plates p where p.print_job_id = l.print_job_id and p.state = 'printing';
