-- Search in more texts than the title and the description, with typing errors; filters by properties of the file; tags
-- with counts; and the modules that use a model.

-- The filtered and sorted values of the current file are stored in the row of the model. So a list is filtered and
-- sorted by one index, and reads only the rows that it shows.
alter table stl_files
  add column file_name text not null default '',
  add column file_size bigint not null default 0,
  add column format text not null default 'stl',
  add column is_watertight boolean,
  add column uploaded_by uuid,
  -- The sides of the bounding box. The shorter side on the bed comes first.
  add column bed_short_mm double precision,
  add column bed_long_mm double precision,
  add column height_mm double precision;

drop trigger stl_files_words_of_new on stl_files;
drop trigger stl_files_words_of_edited on stl_files;

create function version_side(box jsonb, side integer) returns double precision language sql immutable parallel safe
return (box -> 'size' ->> side)::double precision;

update stl_files f
set file_name = v.file_name, file_size = v.file_size, format = v.format, is_watertight = v.is_watertight,
    uploaded_by = v.uploaded_by,
    bed_short_mm = least(version_side(v.bounding_box_mm, 0), version_side(v.bounding_box_mm, 1)),
    bed_long_mm = greatest(version_side(v.bounding_box_mm, 0), version_side(v.bounding_box_mm, 1)),
    height_mm = version_side(v.bounding_box_mm, 2)
from stl_versions v where v.id = f.current_version_id;

create function take_version_facts() returns trigger language plpgsql as $$
declare
  v stl_versions%rowtype;
begin
  select * into v from stl_versions where id = new.current_version_id;
  -- A model may be written before its version is, which then tells it.
  if not found then return new; end if;
  new.file_name := v.file_name;
  new.file_size := v.file_size;
  new.format := v.format;
  new.is_watertight := v.is_watertight;
  new.uploaded_by := v.uploaded_by;
  new.bed_short_mm := least(version_side(v.bounding_box_mm, 0), version_side(v.bounding_box_mm, 1));
  new.bed_long_mm := greatest(version_side(v.bounding_box_mm, 0), version_side(v.bounding_box_mm, 1));
  new.height_mm := version_side(v.bounding_box_mm, 2);
  return new;
end $$;
create trigger stl_files_facts before insert or update of current_version_id on stl_files
  for each row execute function take_version_facts();

create function tell_version_facts() returns trigger language plpgsql as $$
begin
  update stl_files set current_version_id = new.id where id = new.stl_file_id and current_version_id = new.id;
  return null;
end $$;
create trigger stl_versions_facts_of_new after insert on stl_versions
  for each row execute function tell_version_facts();
create trigger stl_versions_facts_of_measured
  after update of file_name, file_size, format, is_watertight, uploaded_by, bounding_box_mm on stl_versions
  for each row
  when ((old.file_name, old.file_size, old.format, old.is_watertight, old.uploaded_by, old.bounding_box_mm)
        is distinct from
        (new.file_name, new.file_size, new.format, new.is_watertight, new.uploaded_by, new.bounding_box_mm))
  execute function tell_version_facts();

-- All texts of a model that people have written.
create function library_text(title text, description text, tags text[], notes text) returns text
language sql immutable parallel safe
return title || E'\n' || coalesce(description, '') || E'\n' || array_to_string(tags, E'\n') || E'\n'
       || coalesce(notes, '');

-- A text contributes whole words and their parts: `wall-bracket_v2`, and `wall`, `bracket` and `v2`. A file name
-- contributes only the parts. A whole file name is rarely the name of another file. It would make the list of words
-- longer, and find no more models than its parts do.
create function library_all_words(written text, file_name text) returns text[]
language sql immutable parallel safe
return array(
  select distinct word
  from unnest(library_words(
    written || E'\n'
    || translate(written || E'\n' || file_name, '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', repeat(' ', 32)))) as word
  where word <> '');

alter table stl_files drop column words, drop column search_text;
alter table stl_files
  add column search_text text not null
    generated always as (lower(library_text(title, description, tags, print_notes) || E'\n' || file_name)) stored,
  add column words text[] not null
    generated always as (library_all_words(library_text(title, description, tags, print_notes), file_name)) stored,
  -- A match in the title counts more.
  add column title_words text[] not null generated always as (library_all_words(title, '')) stored;
create index stl_files_words on stl_files using gin (words) where deleted_at is null;
create index stl_files_title_words on stl_files using gin (title_words) where deleted_at is null;

insert into stl_words select distinct unnest(words) from stl_files on conflict do nothing;

-- Most updates change no text. They do not look up words.
create function note_edited_library_words() returns trigger language plpgsql as $$
begin
  insert into stl_words
  select distinct unnest(n.words) as word from changed n join former o on o.id = n.id
  where n.words is distinct from o.words
  order by word on conflict do nothing;
  return null;
end $$;
create trigger stl_files_words_of_new after insert on stl_files
  referencing new table as changed for each statement execute function note_library_words();
create trigger stl_files_words_of_edited after update on stl_files
  referencing old table as former new table as changed
  for each statement execute function note_edited_library_words();

-- Words of the library that are similar to a mistyped word, the most similar first. If the server does not have
-- pg_trgm, the result is empty, and a search only finds the typed spelling.
do $$
declare
  home text;
begin
  select n.nspname into home from pg_extension e join pg_namespace n on n.oid = e.extnamespace
  where e.extname = 'pg_trgm';
  if home is null then
    create function library_near_words(typed text, most integer) returns table (word text)
    language sql stable as 'select null::text where false';
  else
    -- Its settings can be named once it has been loaded.
    execute format('select %I.similarity(''a'', ''b'')', home);
    execute format(
      'create function library_near_words(typed text, most integer) returns table (word text)
       language sql stable set pg_trgm.similarity_threshold = 0.2 as %L',
      format('select w.word from stl_words w
              where w.word operator(%1$I.%%) typed and length(w.word) between length(typed) - 2 and length(typed) + 2
              order by %1$I.similarity(w.word, typed) desc, w.word limit most', home));
  end if;
end $$;

-- Includes all columns that a list can be filtered by, so that the index alone answers.
drop index stl_files_newest;
create index stl_files_newest on stl_files (created_at desc, id desc)
  include (license_type, sale_allowed, print_material, format, is_watertight, is_product, uploaded_by, bed_short_mm,
           bed_long_mm, height_mm)
  where deleted_at is null;
create index stl_files_by_title on stl_files (lower(title), id) where deleted_at is null;
create index stl_files_by_size on stl_files (file_size, id) where deleted_at is null;
create index stl_files_duplicates on stl_files (duplicate_of) where duplicate_of is not null;

-- Tags with the number of models outside the trash. Counting them in a request would read every model.
create table tags (
  tag text primary key,
  models integer not null
);
create index tags_common on tags (models desc, tag) where models > 0;
insert into tags
select tag, count(*) from stl_files, unnest(tags) as tag where deleted_at is null group by tag;

create function count_tags(added text[], taken text[]) returns void language sql as $$
  -- In order, so that two that change the same tags wait for each other and not both for both.
  insert into tags
  select tag, sum(n) from (select unnest(added) as tag, 1 as n union all select unnest(taken), -1) as change
  group by tag having sum(n) <> 0 order by tag
  on conflict (tag) do update set models = tags.models + excluded.models
$$;
create function count_tags_of_new() returns trigger language plpgsql as $$
begin
  perform count_tags(
    array(select t from changed, unnest(tags) as t where deleted_at is null), '{}');
  return null;
end $$;
create function count_tags_of_edited() returns trigger language plpgsql as $$
begin
  if exists (
    select from changed n join former o on o.id = n.id
    where n.tags <> o.tags or (n.deleted_at is null) <> (o.deleted_at is null)
  ) then
    perform count_tags(
      array(select t from changed, unnest(tags) as t where deleted_at is null),
      array(select t from former, unnest(tags) as t where deleted_at is null));
  end if;
  return null;
end $$;
create function count_tags_of_gone() returns trigger language plpgsql as $$
begin
  perform count_tags(
    '{}', array(select t from former, unnest(tags) as t where deleted_at is null));
  return null;
end $$;
create trigger stl_files_tags_of_new after insert on stl_files
  referencing new table as changed for each statement execute function count_tags_of_new();
create trigger stl_files_tags_of_edited after update on stl_files
  referencing old table as former new table as changed
  for each statement execute function count_tags_of_edited();
create trigger stl_files_tags_of_gone after delete on stl_files
  referencing old table as former for each statement execute function count_tags_of_gone();

-- The public views of print-queue and products for the library. It shows where a model is used, and keeps the files of
-- used models. The views include the trash, because its rows can be restored.
create view queue_jobs as
select j.id, j.item_id, j.stl_file_id, j.stl_version_id, j.status, j.quantity, j.created_at, j.deleted_at
from print_jobs j;
create view catalogue_products as
select p.id, p.name, p.slug, p.status, p.deleted_at from products p;
create view catalogue_models as
select l.product_id, l.stl_file_id from product_models l;
create index print_jobs_version on print_jobs (stl_version_id) where stl_version_id is not null;
