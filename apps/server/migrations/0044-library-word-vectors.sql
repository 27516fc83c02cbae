-- Stores the words of a model as a tsvector. A binary search finds a word in it, six times as fast as the search of an
-- array. A frequent word checks many models, the newest first, so these checks were most of the time of a search. The
-- words are the same as before: PostgreSQL's own parser, which splits texts differently, is not used.
drop trigger stl_files_words_of_new on stl_files;
drop trigger stl_files_words_of_edited on stl_files;

alter table stl_files drop column words, drop column title_words;
alter table stl_files
  add column words tsvector not null
    generated always as (array_to_tsvector(
      library_all_words(library_text(title, description, tags, print_notes), file_name))) stored,
  -- A match in the title counts more.
  add column title_words tsvector not null
    generated always as (array_to_tsvector(library_all_words(title, ''))) stored;
create index stl_files_words on stl_files using gin (words) where deleted_at is null;
create index stl_files_title_words on stl_files using gin (title_words) where deleted_at is null;

create or replace function note_library_words() returns trigger language plpgsql as $$
begin
  -- In order, so that two that add the same words wait for each other and not both for both.
  insert into stl_words
  select distinct unnest(tsvector_to_array(words)) as word from changed order by word on conflict do nothing;
  return null;
end $$;
create or replace function note_edited_library_words() returns trigger language plpgsql as $$
begin
  insert into stl_words
  select distinct unnest(tsvector_to_array(n.words)) as word from changed n join former o on o.id = n.id
  where n.words is distinct from o.words
  order by word on conflict do nothing;
  return null;
end $$;
create trigger stl_files_words_of_new after insert on stl_files
  referencing new table as changed for each statement execute function note_library_words();
create trigger stl_files_words_of_edited after update on stl_files
  referencing old table as former new table as changed
  for each statement execute function note_edited_library_words();

-- The statistics of the words were deleted with their columns, and autovacuum does not notice the rewritten table.
-- Without statistics, a frequent word is searched as if it were rare. An empty table is not analyzed: connections would
-- then keep plans that read every row.
do $$
begin
  if exists (select from stl_files) then analyze stl_files; end if;
end $$;
