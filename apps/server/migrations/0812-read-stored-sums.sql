-- in steps
-- Owned by module slices: the newest file of a version is the first entry of this index, however many plates it has.
create index concurrently sliced_files_newest on sliced_files (stl_version_id, created_at desc, plate, id)
  where deleted_at is null;

-- The figures of all plates are those that are stored in the row.
create or replace view printable_slices as
select f.id, f.stl_file_id, f.stl_version_id, f.object_key, f.file_name, f.file_size, f.sha256, f.format, f.plate,
       f.printer_model, f.nozzle_mm, f.bed_mm, f.material,
       case when f.needs_all_plates then f.file_tools else f.tools end as tools,
       case when f.needs_all_plates then f.file_grams else f.grams end as grams,
       case when f.needs_all_plates then f.file_metres else f.metres end as metres,
       case when f.needs_all_plates then f.file_minutes else f.minutes end as minutes,
       case when f.needs_all_plates then f.pieces_of_all_plates else f.pieces end as pieces, f.created_at,
       f.deleted_at, printer_model_key(f.printer_model) as printer_model_key, f.layer_height_mm,
       case when f.needs_all_plates then f.file_plates else 1 end as plates_per_print,
       f.tools as plate_tools, f.grams as plate_grams, f.minutes as plate_minutes
from sliced_files f;
