-- Owned by module slices: the newest sliced file of a version that states its weight and its time, for the cost of a
-- piece and the plan of a print. A lateral join reads it for each row through `sliced_files_once`. A view could not do
-- that, because PostgreSQL does not pass the condition of a join into `distinct on`.
create function newest_slice(version uuid)
returns table (id uuid, file_name text, material text, grams numeric, minutes integer, pieces integer)
language sql stable parallel safe as $$
  select f.id, f.file_name, f.material, f.grams, f.minutes, f.pieces
  from sliced_files f
  where f.stl_version_id = version and f.deleted_at is null and f.grams is not null and f.minutes is not null
  order by f.created_at desc, f.plate, f.id
  limit 1
$$;
