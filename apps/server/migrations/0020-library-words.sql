-- Search in the library by words. A text's trigrams find every model that holds "bar", "ara" and "rad" anywhere, and
-- each must then be read to see whether it says "barad". So the library keeps which words it has: they are few, those
-- that contain what was typed are found among them, and an inverted index knows the models of each. What is typed has
-- no spaces within a word, so it finds the same as looking through the texts.

-- The words of a text, in lower case. One that is longer than an index takes is cut into pieces of 400 characters
-- that overlap by 200, the longest that a search may be, so that what is looked for lies whole in one of them.
create function library_words(text) returns text[] language sql immutable parallel safe
return case
  when lower($1) !~ '[^ \t\n\r\f\v]{255}' then string_to_array(translate(lower($1), E'\t\n\r\f\v', '     '), ' ')
  else array(
    select substr(word, piece, 400)
    from regexp_split_to_table(lower($1), '[ \t\n\r\f\v]+') as word,
         generate_series(1, greatest(length(word) - 200, 1), 200) as piece)
end;

drop index if exists stl_files_search;
alter table stl_files add column words text[] not null
  generated always as (library_words(title || E'\n' || coalesce(description, ''))) stored;
create index stl_files_words on stl_files using gin (words) where deleted_at is null;

-- Every word that a model has or had; one that none has any more finds nothing.
create table stl_words (word text primary key);
insert into stl_words select distinct unnest(words) from stl_files;

do $$
declare
  home text;
begin
  select n.nspname into home from pg_extension e join pg_namespace n on n.oid = e.extnamespace
  where e.extname = 'pg_trgm';
  if home is not null then
    execute format('create index stl_words_search on stl_words using gin (word %I.gin_trgm_ops)', home);
  end if;
end $$;

create function note_library_words() returns trigger language plpgsql as $$
begin
  -- In order, so that two that add the same words wait for each other and not both for both.
  insert into stl_words select distinct unnest(words) as word from changed order by word on conflict do nothing;
  return null;
end $$;
-- A trigger that sees all rows of a statement at once can be for one kind of statement only.
create trigger stl_files_words_of_new after insert on stl_files
  referencing new table as changed for each statement execute function note_library_words();
create trigger stl_files_words_of_edited after update on stl_files
  referencing new table as changed for each statement execute function note_library_words();
