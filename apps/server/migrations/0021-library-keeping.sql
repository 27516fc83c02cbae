-- Owned by module stl-library: evidence of the license, versions, imports, and saved searches.

alter table stl_files
  add column sale_note text,
  -- The time at which `source_url` was read, as evidence of the license.
  add column fetched_at timestamptz,
  add column deleted_by uuid references accounts (id);

-- An index for the list of the trash, and for models that have been in it long enough to be purged.
create index stl_files_bin on stl_files (deleted_at desc, id desc) where deleted_at is not null;

alter table stl_versions
  add column note text,
  -- The metadata in the file. It is shown as plain text, and the server does not rely on it.
  add column metadata jsonb,
  add column has_slicer_command boolean not null default false,
  -- The clean copy for downloads, if the uploaded file contains commands. The uploaded file keeps its SHA-256.
  add column clean_object_key text,
  add column clean_file_size bigint,
  add column clean_sha256 text,
  add column print_estimate jsonb,
  add column shape_hash text,
  add column preview_key text,
  add column second_thumbnail_key text,
  add column turntable_key text,
  add constraint stl_versions_clean check (num_nonnulls(clean_object_key, clean_file_size, clean_sha256) in (0, 3));
create index stl_versions_shape on stl_versions (shape_hash) where shape_hash is not null;
create index stl_versions_clean_object_key on stl_versions (clean_object_key) where clean_object_key is not null;
create index stl_versions_preview_key on stl_versions (preview_key) where preview_key is not null;
create index stl_versions_second_thumbnail_key on stl_versions (second_thumbnail_key)
  where second_thumbnail_key is not null;
create index stl_versions_turntable_key on stl_versions (turntable_key) where turntable_key is not null;

-- Printers only get files without commands.
create or replace view library_versions as
select v.id, v.stl_file_id, v.file_name, coalesce(v.clean_file_size, v.file_size) as file_size,
       coalesce(v.clean_sha256, v.sha256) as sha256, coalesce(v.clean_object_key, v.object_key) as object_key, v.format
from stl_versions v;

-- Imports: long uploads, from an address or from an archive whose entries a person chooses.
create table stl_imports (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  source text not null,
  status text not null,
  url text,
  file_name text,
  -- The fields of the form. Every model of the import gets them.
  fields jsonb not null,
  received_bytes bigint not null default 0,
  total_bytes bigint,
  -- The archive, as long as its entries can be chosen.
  object_key text,
  stl_file_id uuid references stl_files (id) on delete set null,
  error text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  expires_at timestamptz,
  constraint stl_imports_source check (source in ('url', 'archive')),
  constraint stl_imports_status check (
    status in ('fetching', 'choosing', 'importing', 'done', 'failed', 'cancelled'))
);
create index stl_imports_of_account on stl_imports (account_id, created_at desc, id desc);
create index stl_imports_object_key on stl_imports (object_key) where object_key is not null;
create index stl_imports_expired on stl_imports (expires_at) where expires_at is not null;

create table stl_import_entries (
  import_id uuid not null references stl_imports (id) on delete cascade,
  index integer not null,
  name text not null,
  size bigint not null,
  format text,
  status text not null default 'offered',
  stl_file_id uuid references stl_files (id) on delete set null,
  error text,
  primary key (import_id, index),
  constraint stl_import_entries_status check (status in ('offered', 'skipped', 'waiting', 'done', 'failed'))
);

create table saved_searches (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  name text not null,
  query text not null,
  created_at timestamptz not null,
  constraint saved_searches_name_key unique (account_id, name)
);
