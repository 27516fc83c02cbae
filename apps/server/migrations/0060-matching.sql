-- Owned by module print-queue: the printers that fit a job.

alter table print_jobs
  -- True if an admin assigned the printer although it does not fit.
  add column assigned_anyway boolean not null default false;

-- Owned by module stl-library: the size of a version, which is compared with the bed.
create or replace view library_versions as
select v.id, v.stl_file_id, v.file_name, coalesce(v.clean_file_size, v.file_size) as file_size,
       coalesce(v.clean_sha256, v.sha256) as sha256, coalesce(v.clean_object_key, v.object_key) as object_key, v.format,
       v.number, left(v.sha256, 12) as picture_version, v.thumbnail_key is not null as has_picture,
       v.bounding_box_mm -> 'size' as size_mm
from stl_versions v;

-- Every printer gets a slot, also one that was created only because a job was started on it.
insert into printer_slots (printer_id, slot)
select p.id, 1 from printers p where not exists (select from printer_slots s where s.printer_id = p.id);
