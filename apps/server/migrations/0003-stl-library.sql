-- Owned by module stl-library. People name and search a model. A version is one of its files.

create table stl_files (
  id uuid primary key,
  title text not null,
  description text,
  tags text[] not null default '{}',
  license_type text not null,
  attribution_url text,
  print_material text,
  print_notes text,
  source_url text,
  sale_allowed boolean,
  is_product boolean not null default false,
  duplicate_of uuid references stl_files (id),
  suggested_fields text[] not null default '{}',
  current_version_id uuid not null,
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz
);

create table stl_versions (
  id uuid primary key,
  stl_file_id uuid not null references stl_files (id) deferrable initially deferred,
  number integer not null,
  file_name text not null,
  file_size bigint not null,
  sha256 text not null,
  object_key text not null,
  format text not null,
  encoding text,
  triangles bigint,
  bounding_box_mm jsonb,
  volume_mm3 double precision,
  surface_area_mm2 double precision,
  is_watertight boolean,
  shells integer,
  warnings jsonb not null default '[]',
  analysis_status text not null default 'pending',
  thumbnail_key text,
  uploaded_by uuid references accounts (id),
  created_at timestamptz not null,
  constraint stl_versions_number_key unique (stl_file_id, number),
  constraint stl_versions_analysis_status check (analysis_status in ('pending', 'done', 'failed'))
);
create index stl_versions_sha256 on stl_versions (sha256);

alter table stl_files
  add constraint stl_files_current_version foreign key (current_version_id) references stl_versions (id)
  deferrable initially deferred;

create index stl_files_newest on stl_files (created_at desc, id desc) where deleted_at is null;
create index stl_files_tags on stl_files using gin (tags) where deleted_at is null;
