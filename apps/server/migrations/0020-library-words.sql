-- Search in the library by words. The trigram index of a text finds every model that contains "bar", "ara" and "rad"
-- anywhere, and then each of these texts must be read to check it for "barad". So the database also stores all words of
-- the library. They are few. The search finds the words that contain the typed text, and an inverted index returns the
-- models of each word. A typed word contains no spaces, so the result is the same as a search of the texts.

-- The words of a text, in lower case. A word that is too long for an index is cut into pieces of 400 characters that
-- overlap by 200 characters. A search has at most 200 characters, so its text lies entirely in one of the pieces.
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

-- All words of current and earlier models. A word without a model finds no model.
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
-- A trigger that sees all rows of a statement at once can serve only one kind of statement.
create trigger stl_files_words_of_new after insert on stl_files
  referencing new table as changed for each statement execute function note_library_words();
create trigger stl_files_words_of_edited after update on stl_files
  referencing new table as changed for each statement execute function note_library_words();
