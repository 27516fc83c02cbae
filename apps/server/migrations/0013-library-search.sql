-- Search in the library as in the other lists: one text in lower case, with an index if the server has pg_trgm. A
-- hosted project keeps its extensions in another schema, so the schema is looked up.

alter table stl_files add column search_text text not null
  generated always as (lower(title || E'\n' || coalesce(description, ''))) stored;

do $$
declare
  home text;
begin
  select n.nspname into home from pg_extension e join pg_namespace n on n.oid = e.extnamespace
  where e.extname = 'pg_trgm';
  if home is not null then
    execute format('create index stl_files_search on stl_files using gin (search_text %I.gin_trgm_ops) '
                   'where deleted_at is null', home);
  end if;
end $$;

create index stl_files_license on stl_files (license_type, created_at desc, id desc) where deleted_at is null;

-- Indexes for the versions that a person waits for, and for objects that no version uses any longer.
create index stl_versions_waiting on stl_versions (uploaded_by) where analysis_status = 'pending';
create index stl_versions_object_key on stl_versions (object_key);
create index stl_versions_thumbnail_key on stl_versions (thumbnail_key);
