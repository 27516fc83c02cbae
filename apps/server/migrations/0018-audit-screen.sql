-- Owned by module audit: what the list of entries filters by, fast at a million rows.

-- What the thing was called then: people get other names, and keys can be deleted for good.
alter table audit_entries add column entity_name text;

-- What people search by pieces of: names, and ids that are words, such as an endpoint's. Other ids are searched whole.
-- Each word has a blank before it, by which the index finds beginnings of words that are shorter than its pieces.
alter table audit_entries add column search_text text not null generated always as (
  lower(' ' || actor_name || ' ' || coalesce(entity_name, '') || ' '
        || case when entity_id ~ '^[0-9a-f-]{36}$' then '' else coalesce(entity_id, '') end)
) stored;

-- With the usual hundred samples nothing that is asked for looks rarer than one row in a hundred, and the whole
-- journal is walked for the few rows of an address.
alter table audit_entries alter column search_text set statistics 1000, alter column ip set statistics 1000;

-- Each begins with what is asked for and goes on in the order of the list, so that a page is read from one place.
drop index audit_entries_of_entity;
create index audit_entries_of_entity on audit_entries (entity, at desc, id desc);
create index audit_entries_of_entity_id on audit_entries (entity_id, at desc, id desc);
create index audit_entries_of_programs on audit_entries (actor_kind, at desc, id desc) where actor_kind <> 'user';
-- By its beginning: pieces of three characters, as below, occur in every address.
create index audit_entries_from_address on audit_entries (ip text_pattern_ops);

-- Substring search is fast where the server has pg_trgm and works without it (a hosted project keeps its
-- extensions in a schema of their own, hence the look-up).
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
