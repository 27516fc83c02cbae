-- in steps
-- Owned by module slices: adds up the plates of the files that were decided before the previous migration.

-- repeat
update sliced_files s
set file_plates = a.plates, file_tools = a.tools, file_minutes = a.minutes,
    file_grams = case when a.grams < 100000000 then a.grams end, file_metres = case when a.metres < 10000000 then a.metres end
from (
  select id, stl_version_id, object_key, deleted_at from sliced_files
  where needs_all_plates and file_plates is null
  order by id limit 500
) o
cross join lateral all_plates_of(o.stl_version_id, o.object_key, o.deleted_at) a
where s.id = o.id and s.file_plates is null
returning s.id;
