-- Owned by module slices: whether a sliced file has several plates, and nobody has decided whether one piece needs all of
-- them. Until then, the figures of the sliced file are those of one plate.
create function has_undecided_plates(slice uuid)
returns boolean
language sql stable parallel safe as $$
  select exists (
    select 1 from sliced_files s
    join sliced_files o on o.stl_version_id = s.stl_version_id and o.object_key = s.object_key
                           and o.id <> s.id and o.deleted_at is null
    where s.id = slice and s.needs_all_plates is null
  )
$$;
