-- The words of a model as a tsvector: whether a text has a word is then found by halving, where an array is gone through
-- word by word, six times as long. Models are walked from the newest on for a word that many have, so this is what most
-- of a search was. The words are ours as before: PostgreSQL's parser, which takes them apart its own way, has no part in it.
drop trigger stl_files_words_of_new on stl_files;
drop trigger stl_files_words_of_edited on stl_files;

alter table stl_files drop column words, drop column title_words;
alter table stl_files
  add column words tsvector not null
    generated always as (array_to_tsvector(
      library_all_words(library_text(title, description, tags, print_notes), file_name))) stored,
  -- What stands in the title counts more.
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

-- What was known of the words went with their columns, and writing a table anew is no change that autovacuum counts. Until
-- how frequent words are is known again, a common one would be looked for as if it were rare. Not where there are no models
-- yet: of a table that is known to be empty every row is looked at, for as long as a connection keeps its plans.
do $$
begin
  if exists (select from stl_files) then analyze stl_files; end if;
end $$;
