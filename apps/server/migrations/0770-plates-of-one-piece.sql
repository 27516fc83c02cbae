-- Owned by module slices: whether one piece needs all plates of a sliced file. All rows of the file have the same values.
alter table sliced_files
  -- Null: nobody has decided it, or the file has one plate.
  add column needs_all_plates boolean,
  -- The number of pieces that all plates make together. It counts while `needs_all_plates` is true.
  add column pieces_of_all_plates integer not null default 1;

-- The figures of all plates of a file together. A figure is null if a plate does not state it. The tools are those of the
-- project, so a number means the same filament on all plates.
create function all_plates_of(
  version uuid, key text, deleted timestamptz,
  out plates integer, out tools jsonb, out grams numeric, out metres numeric, out minutes integer
) language sql stable parallel safe as $$
  with plate as (
    select o.plate, o.tools, o.grams, o.metres, o.minutes from sliced_files o
    where o.object_key = key and o.stl_version_id = version and o.deleted_at is not distinct from deleted
  ), tool as (
    select (t ->> 'tool')::integer as number,
           (array_agg(t -> 'material' order by p.plate))[1] as material,
           (array_agg(t -> 'color_hex' order by p.plate))[1] as color_hex,
           case when bool_and(t ->> 'grams' is not null) then sum((t ->> 'grams')::numeric) end as grams,
           case when bool_and(t ->> 'metres' is not null) then sum((t ->> 'metres')::numeric) end as metres
    from plate p cross join jsonb_array_elements(p.tools) t
    group by 1
  )
  select count(*)::integer,
         (select coalesce(jsonb_agg(jsonb_build_object('tool', number, 'material', material, 'color_hex', color_hex,
                                                       'grams', grams, 'metres', metres) order by number), '[]') from tool),
         case when bool_and(p.grams is not null) then sum(p.grams) end,
         case when bool_and(p.metres is not null) then sum(p.metres) end,
         case when bool_and(p.minutes is not null) then sum(p.minutes)::integer end
  from plate p
$$;

-- If one piece needs all plates, each row of the file stands for one print of all its plates. The figures of the plates
-- are added only for such files.
create or replace view printable_slices as
select f.id, f.stl_file_id, f.stl_version_id, f.object_key, f.file_name, f.file_size, f.sha256, f.format, f.plate,
       f.printer_model, f.nozzle_mm, f.bed_mm, f.material,
       case when f.needs_all_plates then (all_plates_of(f.stl_version_id, f.object_key, f.deleted_at)).tools else f.tools end as tools,
       (case when f.needs_all_plates then (all_plates_of(f.stl_version_id, f.object_key, f.deleted_at)).grams else f.grams end)::numeric(10, 2) as grams,
       (case when f.needs_all_plates then (all_plates_of(f.stl_version_id, f.object_key, f.deleted_at)).metres else f.metres end)::numeric(10, 3) as metres,
       case when f.needs_all_plates then (all_plates_of(f.stl_version_id, f.object_key, f.deleted_at)).minutes else f.minutes end as minutes,
       case when f.needs_all_plates then f.pieces_of_all_plates else f.pieces end as pieces, f.created_at,
       f.deleted_at, printer_model_key(f.printer_model) as printer_model_key, f.layer_height_mm,
       case when f.needs_all_plates then (all_plates_of(f.stl_version_id, f.object_key, f.deleted_at)).plates else 1 end as plates_per_print
from sliced_files f;

-- The public view of the queue: sliced files with a plate that the server or an agent is printing.
create view printing_slices as
select slice_id from job_plates
where slice_id is not null and state in ('sending', 'printing', 'paused', 'printed')
  and (state = 'sending' or remote_name is not null or api_key_id is not null);

-- Like `newest_slice`, with the number of plates that one print needs. The previous version still calls `newest_slice`.
create function newest_sliced_print(version uuid)
returns table (id uuid, file_name text, material text, grams numeric, minutes integer, pieces integer, plates_per_print integer)
language sql stable parallel safe as $$
  select f.id, f.file_name, f.material, f.grams, f.minutes, f.pieces, f.plates_per_print
  from printable_slices f
  where f.stl_version_id = version and f.deleted_at is null and f.grams is not null and f.minutes is not null
  order by f.created_at desc, f.plate, f.id
  limit 1
$$;
