-- Owned by module audit: indexes for the filters of the list, fast with a million rows.

-- The name of the object at that time. People get other names later, and keys can be deleted permanently.
alter table audit_entries add column entity_name text;

-- The texts that are searched by parts: names, and ids that are words, such as the id of an endpoint. Other ids are
-- searched as a whole. Each word is preceded by a space. With it, the index finds the beginnings of words that are
-- shorter than its trigrams.
alter table audit_entries add column search_text text not null generated always as (
  lower(' ' || actor_name || ' ' || coalesce(entity_name, '') || ' '
        || case when entity_id ~ '^[0-9a-f-]{36}$' then '' else coalesce(entity_id, '') end)
) stored;

-- With the default number of samples, no searched text looks rarer than one row in a hundred. The whole table would
-- then be read for the few rows of an address.
alter table audit_entries alter column search_text set statistics 1000, alter column ip set statistics 1000;

-- Each index starts with the filtered column and continues in the order of the list. So a page is read from one place
-- of the index.
drop index audit_entries_of_entity;
create index audit_entries_of_entity on audit_entries (entity, at desc, id desc);
create index audit_entries_of_entity_id on audit_entries (entity_id, at desc, id desc);
create index audit_entries_of_programs on audit_entries (actor_kind, at desc, id desc) where actor_kind <> 'user';
-- The start of an address is searched. Trigrams, as below, would not help, because they occur in almost every address.
create index audit_entries_from_address on audit_entries (ip text_pattern_ops);

-- Substring search is fast if the server has pg_trgm, and also works without it. A hosted project keeps its extensions
-- in another schema, so the schema is looked up.
do $$
declare
  home text;
begin
  select n.nspname into home from pg_extension e join pg_namespace n on n.oid = e.extnamespace
  where e.extname = 'pg_trgm';
  if home is not null then
    execute format('create index audit_entries_search on audit_entries using gin (search_text %I.gin_trgm_ops)', home);
  end if;
end $$;
