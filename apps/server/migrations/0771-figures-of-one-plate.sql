-- Owned by module slices: the view also has the figures of the plate itself. The server and agents print one plate, so the
-- prints that they made before a person decided that one piece needs all plates have these figures.
create or replace view printable_slices as
select f.id, f.stl_file_id, f.stl_version_id, f.object_key, f.file_name, f.file_size, f.sha256, f.format, f.plate,
       f.printer_model, f.nozzle_mm, f.bed_mm, f.material,
       case when f.needs_all_plates then (all_plates_of(f.stl_version_id, f.object_key, f.deleted_at)).tools else f.tools end as tools,
       (case when f.needs_all_plates then (all_plates_of(f.stl_version_id, f.object_key, f.deleted_at)).grams else f.grams end)::numeric(10, 2) as grams,
       (case when f.needs_all_plates then (all_plates_of(f.stl_version_id, f.object_key, f.deleted_at)).metres else f.metres end)::numeric(10, 3) as metres,
       case when f.needs_all_plates then (all_plates_of(f.stl_version_id, f.object_key, f.deleted_at)).minutes else f.minutes end as minutes,
       case when f.needs_all_plates then f.pieces_of_all_plates else f.pieces end as pieces, f.created_at,
       f.deleted_at, printer_model_key(f.printer_model) as printer_model_key, f.layer_height_mm,
       case when f.needs_all_plates then (all_plates_of(f.stl_version_id, f.object_key, f.deleted_at)).plates else 1 end as plates_per_print,
       f.tools as plate_tools, f.grams as plate_grams, f.minutes as plate_minutes
from sliced_files f;
