-- Owned by module slices: the printers that a sliced file fits, slicer profiles, and slicing runs.

-- People and slicers write the same printer model in several ways: `Original Prusa MK4S`, `Prusa MK4S`, `MK4S`. Two
-- names mean the same model if they have the same key. Null for a name without a letter or digit.
create function printer_model_key(model text) returns text language sql immutable parallel safe
return (
  select coalesce(
    nullif(regexp_replace(plain, '^(original)?(prusaresearch|prusa3d|prusa|bambulab|creality|anycubic|elegoo|qidi|sovol)?(i3)?', ''), ''),
    nullif(plain, ''))
  from (select regexp_replace(lower(model), '[^a-z0-9]+', '', 'g') as plain) written
);

alter table sliced_files
  -- Notes for people about an accepted file, in sentences.
  add column notes text[] not null default '{}',
  -- Purging a model deletes its sliced files. A model is not purged while a job or plate refers to one of its sliced
  -- files.
  drop constraint sliced_files_stl_file_id_fkey,
  drop constraint sliced_files_stl_version_id_fkey,
  add constraint sliced_files_stl_file_id_fkey foreign key (stl_file_id) references stl_files (id) on delete cascade,
  add constraint sliced_files_stl_version_id_fkey foreign key (stl_version_id) references stl_versions (id) on delete cascade;
create index sliced_files_picture on sliced_files (picture_key) where picture_key is not null;
create index sliced_files_in_trash on sliced_files (deleted_at) where deleted_at is not null;

create or replace view printable_slices as
select f.id, f.stl_file_id, f.stl_version_id, f.object_key, f.file_name, f.file_size, f.sha256, f.format, f.plate,
       f.printer_model, f.nozzle_mm, f.bed_mm, f.material, f.tools, f.grams, f.metres, f.minutes, f.pieces, f.created_at,
       f.deleted_at, printer_model_key(f.printer_model) as printer_model_key, f.layer_height_mm
from sliced_files f;

-- The public view of the queue: sliced files that jobs and plates refer to.
create view queue_slices as
select slice_id from print_jobs where slice_id is not null
union
select slice_id from job_plates where slice_id is not null;
create index print_jobs_of_slice on print_jobs (slice_id) where slice_id is not null;
create index job_plates_of_slice on job_plates (slice_id) where slice_id is not null;

create table slicer_profiles (
  id uuid primary key,
  name text not null constraint slicer_profiles_name_length check (length(name) between 1 and 100),
  printer_model text constraint slicer_profiles_model_length check (length(printer_model) between 1 and 100),
  nozzle_mm numeric(4, 2) constraint slicer_profiles_nozzle check (nozzle_mm > 0 and nozzle_mm <= 10),
  material text constraint slicer_profiles_material_length check (length(material) between 1 and 100),
  -- The settings of the slicer, as its INI file, without entries that make it run a program.
  settings text not null constraint slicer_profiles_settings_length check (length(settings) between 1 and 1000000),
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz
);
create unique index slicer_profiles_name_key on slicer_profiles (lower(name)) where deleted_at is null;

-- One slicing of a version with a profile. Its result is a sliced file.
create table slicing_runs (
  id uuid primary key,
  stl_file_id uuid not null references stl_files (id) on delete cascade,
  stl_version_id uuid not null references stl_versions (id) on delete cascade,
  profile_id uuid not null references slicer_profiles (id),
  -- The number of copies of the model on the plate.
  pieces integer not null constraint slicing_runs_pieces check (pieces between 1 and 1000),
  state text not null constraint slicing_runs_state check (state in ('pending', 'done', 'failed')),
  -- The reason of the failure, as a sentence.
  detail text,
  slice_id uuid references sliced_files (id) on delete set null,
  actor_kind text not null constraint slicing_runs_actor_kind check (actor_kind in ('user', 'api_key', 'system')),
  actor_id uuid,
  actor_name text not null,
  created_at timestamptz not null,
  finished_at timestamptz,
  constraint slicing_runs_finished check ((finished_at is not null) = (state <> 'pending'))
);
create index slicing_runs_of_model on slicing_runs (stl_file_id, created_at desc, id desc);
create index slicing_runs_pending on slicing_runs (created_at, id) where state = 'pending';
create index slicing_runs_of_profile on slicing_runs (profile_id);
create index slicing_runs_of_slice on slicing_runs (slice_id) where slice_id is not null;
create index slicing_runs_finished_at on slicing_runs (finished_at) where finished_at is not null;
