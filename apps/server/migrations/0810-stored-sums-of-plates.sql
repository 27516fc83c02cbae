-- Owned by module slices: the figures of all plates of a file together are stored in each of its rows, so that a list of
-- jobs does not add up the plates for each job.
alter table sliced_files
  -- Null unless one piece needs all plates. A figure is also null if a plate does not state it.
  add column file_plates integer,
  add column file_tools jsonb,
  add column file_grams numeric(10, 2),
  add column file_metres numeric(10, 3),
  add column file_minutes integer;

-- Adds up the plates of the files that a statement has changed. It is a trigger, because the previous version also
-- changes plates while an upgrade runs.
create function add_up_plates() returns trigger language plpgsql as $$
declare
  versions uuid[];
  keys text[];
begin
  if tg_op = 'INSERT' then
    select array_agg(c.stl_version_id), array_agg(c.object_key) into versions, keys
    from (select distinct stl_version_id, object_key from new_rows) c;
  elsif tg_op = 'DELETE' then
    select array_agg(c.stl_version_id), array_agg(c.object_key) into versions, keys
    from (select distinct stl_version_id, object_key from old_rows) c;
  else
    select array_agg(c.version), array_agg(c.key) into versions, keys
    from (
      select distinct f.version, f.key from old_rows o join new_rows n using (id)
      cross join lateral (values (o.stl_version_id, o.object_key), (n.stl_version_id, n.object_key)) f (version, key)
      where (o.stl_version_id, o.object_key, o.deleted_at, o.needs_all_plates, o.plate, o.tools, o.grams, o.metres, o.minutes)
            is distinct from
            (n.stl_version_id, n.object_key, n.deleted_at, n.needs_all_plates, n.plate, n.tools, n.grams, n.metres, n.minutes)
    ) c;
  end if;
  -- Changes of other transactions to the same file end first. The next statement then sees them.
  perform from unnest(versions, keys) c (version, key)
  join sliced_files s on s.stl_version_id = c.version and s.object_key = c.key
  where s.needs_all_plates or s.file_plates is not null
  order by s.id for no key update of s;
  if not found then
    return null;
  end if;
  with file as (
    select f.version, f.key, f.deleted, a.plates, a.tools, a.minutes,
           -- A sum that the column cannot contain is unknown.
           case when a.grams < 100000000 then a.grams end as grams, case when a.metres < 10000000 then a.metres end as metres
    from (
      select distinct s.stl_version_id as version, s.object_key as key, s.deleted_at as deleted
      from unnest(versions, keys) c (version, key)
      join sliced_files s on s.stl_version_id = c.version and s.object_key = c.key
      where s.needs_all_plates
    ) f
    cross join lateral all_plates_of(f.version, f.key, f.deleted) a
  ), figures as (
    select s.id, f.plates, f.tools, f.grams, f.metres, f.minutes
    from unnest(versions, keys) c (version, key)
    join sliced_files s on s.stl_version_id = c.version and s.object_key = c.key
    left join file f on s.needs_all_plates and f.version = c.version and f.key = c.key
      and f.deleted is not distinct from s.deleted_at
  )
  update sliced_files s
  set file_plates = f.plates, file_tools = f.tools, file_grams = f.grams, file_metres = f.metres, file_minutes = f.minutes
  from figures f
  where f.id = s.id and (s.file_plates, s.file_tools, s.file_grams, s.file_metres, s.file_minutes)
                        is distinct from (f.plates, f.tools, f.grams, f.metres, f.minutes);
  return null;
end $$;
create trigger sliced_files_of_added_plates after insert on sliced_files
  referencing new table as new_rows for each statement execute function add_up_plates();
create trigger sliced_files_of_changed_plates after update on sliced_files
  referencing old table as old_rows new table as new_rows for each statement execute function add_up_plates();
create trigger sliced_files_of_deleted_plates after delete on sliced_files
  referencing old table as old_rows for each statement execute function add_up_plates();
